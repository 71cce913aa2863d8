import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Command } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

/** Makes something whose secret is shown once. */
export function MakeSecret({
  title,
  action,
  make,
  done,
  fields,
  use,
}: {
  title: string;
  action: string;
  make(values: Record<string, string>): Promise<string>;
  done(): void;
  fields: ComponentChildren;
  use(secret: string): ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const close = () => {
    setOpen(false);
    setSecret(undefined);
  };
  return (
    <>
      <button type="button" class="btn btn-small" onClick={() => setOpen(true)}>
        {action}
      </button>
      {open && (
        <Dialog title={secret ? "Copy it now" : title} onClose={close}>
          {secret ? (
            <div class="space-y-3 text-sm">
              <p>It is shown this once; only its hash is kept.</p>
              <Command text={secret} />
              {use(secret)}
            </div>
          ) : (
            <Form
              action={action}
              work={async values => {
                setSecret(await make(values));
                done();
              }}
            >
              {fields}
            </Form>
          )}
        </Dialog>
      )}
    </>
  );
}
