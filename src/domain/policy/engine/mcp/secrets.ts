/** Credentials by their own form: prefixes their issuers gave them, private key blocks, JSON web tokens. */
const forms =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{20,}|\bxox[abprs]-[\w-]{10,}|\bsk-(ant-|proj-)?[\w-]{20,}|\b[sr]k_live_\w{16,}|\bnpm_[A-Za-z0-9]{30,}|\bAIza[\w-]{35}\b|(?<=[\w-]{10})\.eyJ[\w-]{10,}\.[\w-]{10,}|\bdop_v1_\w{40,}|\bhvs\.[\w-]{20,}|\bya29\.[\w-]{20,}/;

export const holdsSecret = (text: string): boolean =>
  text.length >= 16 && forms.test(text.length > 65_536 ? text.slice(0, 65_536) : text);

/** `STRIPE_SECRET_KEY=…` as settings files have it; names alone and placeholders are none. */
const setting =
  /(?:^|[\s"'])(?:export\s+)?([A-Z0-9_]+)=["']?(?!your|my|the|xxx|example|change|replace|process|test|dummy)(?=[^\s"']*\d|[^\s"']{20})[\w+/=.!@#%^&*-]{8,}/g;
const secretName = /SECRET|PASSWORD|PASSWD|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY/;

/** `postgres://user:password@host` */
const login =
  /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[\w.-]+:(?!password|pass|pw|user|secret|postgres|root|x{3})[^\s:@/<>${}]{6,}@(?!localhost|127\.)[\w-]/;

/** A text that tells what a settings file with secrets holds. */
export function holdsSetting(text: string): boolean {
  const start = text.length > 65_536 ? text.slice(0, 65_536) : text;
  if (start.includes("://") && login.test(start)) return true;
  if (!start.includes("=") || !secretName.test(start)) return false;
  for (const [, name] of start.matchAll(setting)) if (secretName.test(name!)) return true;
  return false;
}
