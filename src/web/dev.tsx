/** Entry of local development only: the page takes itself for signed in, the proxy in front of the server holds the token. */
import { keepSession, type SignedIn } from "./state/session.ts";

const who = (await (await fetch("/__dev/session")).json()) as SignedIn;
keepSession({ ...who, token: "dev-proxy" });
new EventSource("/__dev/reload").onmessage = () => location.reload();
await import("./main.tsx");
