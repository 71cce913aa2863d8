/** Programs that print a credential when asked to: what comes out of them is as secret as the file it lies in. */
import type { Job } from "./row.ts";

/** By program, the words behind it (flags and operands in order) that bring a secret to light. */
const asks: Record<string, RegExp> = {
  gh: /^auth (token|status .*(-t|--show-token))/,
  glab: /^auth status .*(-t|--show-token)/,
  gcloud:
    /^(auth (application-default )?print-(access|identity)-token|secrets versions access|sql users|iam service-accounts keys create)/,
  aws: /^(?=.* --with-decryption)(?:.* )?ssm get-parameter|(?:^| )(sts (get-session-token|assume-role\S*|get-federation-token)|secretsmanager (get|batch-get)-secret-value|ecr(-public)? get-(login-password|authorization-token)|configure (export-credentials|get \S*(secret|key|token)\S*)|rds generate-db-auth-token|iam create-access-key)/,
  az: /^(account get-access-token|keyvault (secret (show|download)|key download)|storage account keys list|acr credential show|ad sp create-for-rbac|cosmosdb keys list)/,
  kubectl:
    /^(?:.* )?create token|^(?=.*(?:-o|--output|jsonpath|template))(?:.* )?get secrets?\b|^(?=.*--raw)(?:.* )?config view /,
  oc: /^(?:.* )?whoami (-t|--show-token)|^(?=.*(?:-o|--output))(?:.* )?get secrets?\b/,
  history: /^$/,
  git: /^credential(-\w+)? (fill|get)/,
  vault: /^(read|kv get|token (create|lookup)|print token|unwrap|login)/,
  pass: /^(show )?(-c )?[\w@./-]+$/,
  gopass: /^(show|cat) /,
  op: /^(read|item get|document get|get item|inject)/,
  bw: /^(get|list) /,
  docker: /^(?:container )?inspect .*\.Env\b/,
  vercel: /^env pull (?:-|\/dev\/stdout)/,
  lpass: /^show /,
  keepassxc: /^/,
  "keepassxc-cli": /^(show|export|clip)/,
  rbw: /^get /,
  dashlane: /^/,
  security: /^(find-(generic|internet)-password .*-\w*[wg]|export|dump-keychain)/,
  "secret-tool": /^(lookup|search)/,
  heroku: /^(auth:token|config)/,
  doppler: /^secrets/,
  infisical: /^(secrets|export)/,
  chamber: /^(read|export|list -e)/,
  sops: /(?:^| )(-d|--decrypt|decrypt|exec-env)/,
  age: /(?:^| )(-d|--decrypt)/,
  "ansible-vault": /^(view|decrypt)/,
  gpg: /(?:^| )(-d|--decrypt|--export-secret-\w*keys)/,
  "docker-credential-desktop": /^get/,
  "docker-credential-osxkeychain": /^get/,
  npm: /^(token create|config get \S*_auth)/,
  doctl: /^auth (token|list)/,
  flyctl: /^(auth token|tokens create)/,
  fly: /^(auth token|tokens create)/,
  stripe: /^config --list/,
  firebase: /^login:ci/,
  supabase: /^secrets list/,
  pbpaste: /^/,
  "wl-paste": /^(?!.*(-l|--list-types))/,
  xclip: /(^| )-(o|out)\b/,
  pg_dump: /^(?!.*(^| )(-s|--schema-only|--help)( |$))/,
  pg_dumpall: /^(?!.*(^| )(-s|--schema-only|--help)( |$))/,
  mysqldump: /^(?!.*(^| )(-d|--no-data|--help)( |$))/,
  "mariadb-dump": /^(?!.*(^| )(-d|--no-data|--help)( |$))/,
  mongodump: /(^| )--archive( |$)/,
  wg: /^(showconf|show .*private-key|genkey)/,
  nmcli: /(?:^| )(-s|--show-secrets)/,
};

export const secretSources: ReadonlyMap<string, RegExp> = new Map(Object.entries(asks));

/** Whether this invocation prints a credential. */
export function printsSecret({ spec, argv }: Job): boolean {
  const asked = spec.traits.secrets;
  return asked?.test(wordsBehind(argv)) ?? false;
}

/** The words behind a program, in order. */
export function wordsBehind(argv: Job["argv"]): string {
  let words = "";
  for (let i = 1; i < argv.length; i++) words += i === 1 ? argv[i]!.text : ` ${argv[i]!.text}`;
  return words;
}
