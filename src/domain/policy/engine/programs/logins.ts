import { hole } from "../../facts.ts";
import type { Field } from "../value.ts";
import type { Job } from "./row.ts";

/**
 * What a request says about who asks is a login (`-u "$TOKEN:"`, `https://$TOKEN@host/`) as long as a variable stands
 * there. The text of a file or of the whole environment is data that leaves.
 */
const isLogin = ({ text, origin }: Field): boolean =>
  origin?.path === undefined || /^(proxy-)?authorization:/i.test(text);

/** Whether an address carries more than a login. */
export const inAddress = (url: Field): boolean => {
  const user = /^[a-z]+:\/\/[^/@\s]*@/i.exec(url.text);
  return user === null || url.text.includes(hole, user[0].length) || !isLogin(url);
};

/** Options whose value goes out beside the data. */
const carriers = new Set("-H --header -A --user-agent -b --cookie -e --referer -u --user".split(" "));

/** Where a login stands: an option for it, a header named for it (`X-Api-Key`, `PRIVATE-TOKEN`) or a whole one in a variable. */
const forLogin = /^(-u|--user|-b|--cookie)$/;
const loginHeader = /^[^:]*$|auth|cookie|credential|key|login|pass|secret|session|signature|token/i;
const saysWho = (option: string, { text }: Field): boolean =>
  forLogin.test(option) ||
  (/^(-H|--header)$/.test(option) && loginHeader.test(text.slice(0, text.indexOf(":") + 1 || undefined)));

/** What options and headers carry besides a login. */
export const inHeaders = (job: Job): Field[] =>
  job.inv.flags.flatMap(({ name, value }) => {
    const told = value as Field | undefined;
    return told && carriers.has(name) && !(saysWho(name, told) && isLogin(told)) ? [told] : [];
  });
