/** Secrets in what scanners report: known token forms and private keys. */
const secrets =
  /\b(?:gh[pousra]_[A-Za-z0-9_-]{20,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255}|A[KS]IA[A-Z0-9]{16}|xox[abeoprs]-[A-Za-z0-9-]{10,}|sk-[\w-]{20,}|npm_[A-Za-z0-9]{36}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

export const redactText = (text: string): string => text.replace(secrets, "[redacted]");
