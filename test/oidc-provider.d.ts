/** What test/identity-provider.ts uses of oidc-provider, which ships no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface Configuration {
    clients: Record<string, unknown>[];
    jwks: { keys: unknown[] };
    cookies: { keys: string[] };
    claims: Record<string, string[]>;
    conformIdTokenClaims: boolean;
    clientBasedCORS(): boolean;
    features: { devInteractions: { enabled: boolean } };
    ttl: Record<string, number>;
    findAccount(context: unknown, sub: string): { accountId: string; claims(): Promise<Record<string, unknown>> };
    interactions: { url(context: unknown, interaction: { uid: string }): string };
  }

  interface Interaction {
    prompt: { name: string };
    params: Record<string, unknown>;
    session?: { accountId: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (req: IncomingMessage, res: ServerResponse) => void;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: unknown, options?: object): Promise<void>;
    Grant: new (
      of: object,
    ) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }
}
