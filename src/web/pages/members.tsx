import { useState } from "preact/hooks";
import { StatusBadge } from "../parts/badges.tsx";
import { Command } from "../parts/copy.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Field, Form, Select } from "../parts/form.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await, Failure } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { notify } from "../state/notices.ts";
import { type Role, session } from "../state/session.ts";
import { useAct, useAsk } from "../state/use-ask.ts";

const list = () => ask(api().org.members.get({ query: { limit: 200 } }));
type Member = Awaited<ReturnType<typeof list>>["items"][number];
const roles: [Role, string][] = [
  ["admin", "Admin: changes everything"],
  ["member", "Member: reads, connects agents, posts scans"],
  ["auditor", "Auditor: reads everything, changes nothing"],
];

export default function Members() {
  const asked = useAsk(list, []);
  const [open, setOpen] = useState<"invite" | Member>();
  const mayChange = !inDemo() && session.value?.organisation.role === "admin";
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Members"
      says="People of this organisation and those who are invited."
      actions={
        mayChange && (
          <button type="button" class="btn btn-primary" onClick={() => setOpen("invite")}>
            Invite
          </button>
        )
      }
    >
      <Card>
        <Await asked={asked}>
          {({ items }) => (
            <Table
              label="Members"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: "Person",
                  cell: ({ name, email }) => (
                    <>
                      <span class="font-medium">{name || email}</span>
                      {name && <span class="block text-xs font-normal text-soft">{email}</span>}
                    </>
                  ),
                },
                {
                  title: "Role",
                  cell: member =>
                    mayChange && member.status === "active" ? (
                      <RoleSelect member={member} changed={asked.reload} />
                    ) : (
                      member.role
                    ),
                },
                { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
                { title: "Since", cell: ({ created_at }) => <Time iso={created_at} minute /> },
                mayChange && {
                  title: "Change",
                  num: true,
                  cell: member => <Leave member={member} onClick={() => setOpen(member)} />,
                },
              ]}
            />
          )}
        </Await>
      </Card>
      {open === "invite" && <Invite onClose={close} done={asked.reload} />}
      {open && open !== "invite" && (
        <Confirm
          title={open.status === "invited" ? `Withdraw the invitation of ${open.email}?` : `Remove ${open.email}?`}
          action={open.status === "invited" ? "Withdraw" : "Remove"}
          onClose={close}
          work={async () => {
            await ask(api().org.members({ id: open.id }).delete());
            notify(`${open.email} is removed.`);
            asked.reload();
          }}
        >
          {open.status === "invited"
            ? "The link stops working."
            : "All their sessions and access tokens here end at once. What they did stays in the log."}
        </Confirm>
      )}
    </Page>
  );
}

function Leave({ member: { email, status }, onClick }: { member: Member; onClick(): void }) {
  const action = status === "invited" ? "Withdraw" : "Remove";
  return (
    <button type="button" class="btn btn-small btn-danger" onClick={onClick} aria-label={`${action} ${email}`}>
      {action}
    </button>
  );
}

function RoleSelect({ member, changed }: { member: Member; changed(): void }) {
  const { error, act } = useAct();
  const change = (role: Role) =>
    act(async () => {
      await ask(
        api()
          .org.members({ id: member.id })
          .patch({ role: role as never }),
      );
      notify(`${member.email} is ${role} now.`);
    }).then(changed);
  return (
    <div class="w-32">
      <Select
        label={`Role of ${member.email}`}
        name="role"
        hidden
        value={member.role as Role}
        options={roles.map(([role]) => [role, role] as const)}
        onChange={change}
      />
      {error && <Failure error={error} />}
    </div>
  );
}

function Invite({ onClose, done }: { onClose(): void; done(): void }) {
  const [invited, setInvited] = useState<{ email: string; invitation_url: string; expires_at: string }>();
  if (invited)
    return (
      <Dialog title={`${invited.email} is invited`} onClose={onClose}>
        <div class="space-y-3 text-sm">
          <p>
            Send them this link yourself. It works once and ends <Time iso={invited.expires_at} relative />.
          </p>
          <Command text={invited.invitation_url} label="Copy link" />
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form
        action="Invite"
        work={async ({ email, role }) => {
          const reply = await ask(api().org.members.post({ email: email!, role: role as never }));
          setInvited(reply as unknown as { email: string; invitation_url: string; expires_at: string });
          done();
        }}
      >
        <Field label="Email" name="email" type="email" required autoFocus />
        <Select label="Role" name="role" value="member" options={roles} />
      </Form>
    </Dialog>
  );
}
