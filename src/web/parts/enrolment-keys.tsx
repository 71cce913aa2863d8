import { ask, outside } from "../state/api.ts";
import { plural } from "../state/times.ts";
import { Command } from "./copy.tsx";
import { Field } from "./form.tsx";
import { KeptList } from "./kept-list.tsx";
import { MakeSecret } from "./make-secret.tsx";
import { Time } from "./time.tsx";

const keys = () => outside().auth["enrolment-keys"];

/** Machines that connect without a press: CI and device management. */
export const EnrolmentKeys = () => (
  <KeptList
    title="Enrolment keys"
    says="For CI and device management: a machine with such a key connects without anybody's press."
    empty="No keys."
    action="Revoke"
    list={() => ask(keys().get())}
    name={one => one.name}
    revoke={one => ask(outside().auth["enrolment-keys"]({ id: one.id }).delete())}
    row={one => (
      <>
        <p class="font-medium">{one.name}</p>
        <p class="text-xs text-soft">
          {plural(one.uses_left, "use")} left · ends <Time iso={one.expires_at} relative />
        </p>
      </>
    )}
    aside={reload => (
      <MakeSecret
        title="New enrolment key"
        action="New key"
        done={reload}
        make={async ({ name, uses, days }) => {
          const made = await ask(keys().post({ name: name!, uses: Number(uses), expires_in_days: Number(days) }));
          return (made as unknown as { key: string }).key;
        }}
        fields={
          <>
            <Field label="Name" name="name" required autoFocus maxLength={100} placeholder="build machines" />
            <Field label="Uses" name="uses" type="number" required value="1" />
            <Field label="Days it is good for" name="days" type="number" required value="7" />
          </>
        }
        use={key => <Command text={`gatehouse login ${location.origin} --key ${key}`} />}
      />
    )}
  />
);
