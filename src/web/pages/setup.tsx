import { Link, useLocation } from "wouter-preact";
import { Entrance } from "../parts/entrance.tsx";
import { Field, Form } from "../parts/form.tsx";
import { ask, outside } from "../state/api.ts";
import { keepSession, type SignedIn } from "../state/session.ts";

/** The first run: the code from the server's terminal founds the organisation and its first admin. */
export default function Setup() {
  const [, go] = useLocation();
  return (
    <Entrance
      title="Set up Gatehouse"
      says="The server printed a one-time code when it started. It proves that you run it."
      foot={
        <p>
          Already set up?{" "}
          <Link href="/sign-in" class="link">
            Sign in
          </Link>
          .
        </p>
      }
    >
      <Form
        action="Create the organisation"
        work={async ({ code, organisation, email, password, name }) => {
          const entry = {
            code: code!.trim(),
            organisation: organisation!,
            email: email!,
            password: password!,
            ...(name ? { name } : {}),
          };
          keepSession((await ask(outside().auth.setup.post(entry))) as SignedIn);
          go("/");
        }}
      >
        <Field
          label="Code"
          name="code"
          required
          autoFocus
          autoComplete="off"
          hint="Lost it? Start the server again: it prints a new one."
        />
        <Field
          label="Organisation"
          name="organisation"
          required
          maxLength={100}
          placeholder="Acme"
          autoComplete="organization"
        />
        <Field label="Your name" name="name" maxLength={100} autoComplete="name" />
        <Field label="Email" name="email" type="email" required autoComplete="username" />
        <Field
          label="Password"
          name="password"
          type="password"
          required
          minLength={12}
          autoComplete="new-password"
          hint="At least 12 characters. A few words are easier to keep than a few signs."
        />
      </Form>
    </Entrance>
  );
}
