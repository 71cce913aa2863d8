/**
 * Every refusal this product gives: code → status and sentence. A code is stable; adding one is one line.
 * Statuses: RFC 9110, 6750, 6585; device codes: RFC 8628 §3.5.
 */
export const refusals = {
  malformed: [400, "The request could not be read."],
  malformed_json: [400, "The body is not valid JSON."],
  unauthenticated: [401, "Send a valid token as `Authorization: Bearer …`."],
  invalid_token: [401, "The token is unknown, expired or revoked."],
  invalid_credentials: [401, "Email or password is wrong."],
  invalid_code: [401, "The code is wrong or has been used."],
  demo_expired: [401, "This demo has ended. Start a new one with POST /api/demo/session."],
  forbidden: [403, "Your role does not allow this."],
  wrong_caller: [403, "This route is not for this kind of token."],
  demo_not_allowed: [403, "A demo handle works on /api/demo/* only."],
  demo_account: [403, "The demo account cannot change itself."],
  two_factor_required: [403, "This account needs its second factor."],
  plan_required: [403, "The organisation's plan does not include this."],
  plan_limit: [403, "The organisation's plan allows no more of these."],
  body_timeout: [408, "The body took too long to arrive."],
  not_found: [404, "There is nothing here under that name."],
  not_in_demo: [404, "The demo does not offer this route."],
  method_not_allowed: [405, "This route does not take that method."],
  conflict: [409, "This does not fit the present state."],
  last_admin: [409, "An organisation needs at least one admin."],
  already_set_up: [409, "The first account exists already; sign in instead."],
  precondition_failed: [412, "It has changed since you read it. Read it again."],
  too_large: [413, "The body is larger than this route takes."],
  uri_too_long: [414, "The address is too long."],
  unsupported_media_type: [415, "This route does not take that media type."],
  unsupported_encoding: [415, "This route does not take that content encoding."],
  invalid: [422, "Some values are not valid."],
  rejected: [422, "No event of the batch was valid."],
  rate_limited: [429, "Too many requests. Wait as long as Retry-After says."],
  headers_too_large: [431, "The request headers are too large."],
  internal_error: [500, "Something went wrong here. The request id helps to find it in the log."],
  busy: [503, "Too much is waiting. Try again as Retry-After says."],
  unavailable: [503, "This organisation cannot be served at the moment."],
  storage_full: [503, "There is no room left to store this. Nothing was stored; reading goes on."],
  read_only: [503, "The log is kept read-only because it does not match its recorded head."],
  timeout: [503, "It took too long and was given up."],
  authorization_pending: [400, "The person has not confirmed the code yet."],
  slow_down: [400, "Poll less often: five seconds more between two polls."],
  access_denied: [400, "The person refused this device."],
  expired_token: [400, "The device code has expired. Start again."],
  invalid_grant: [400, "The device code is not valid."],
  invalid_request: [400, "A required parameter is missing or malformed."],
  unsupported_grant_type: [400, "Only the device code grant is offered."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type RefusalCode = keyof typeof refusals;

/** What is wrong where: `path` is a JSON pointer or a query parameter. */
export interface Detail {
  path: string;
  message: string;
  /** Of a text document; both count from 1. */
  line?: number;
  column?: number;
}

export interface RefusalExtra {
  message?: string;
  details?: Detail[];
  /** Further members of the error body, such as `two_factor`. */
  members?: Record<string, unknown>;
  retry_after_s?: number;
  headers?: Record<string, string>;
}

/** Thrown anywhere, turned into the reply in one place. Its message is for the caller: no input, SQL or stack in it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly extra: RefusalExtra;
  constructor(code: RefusalCode, extra: RefusalExtra = {}) {
    super(extra.message ?? refusals[code][1]);
    this.code = code;
    this.extra = extra;
  }
  get status(): number {
    return refusals[this.code][0];
  }
}

export function refusal(code: RefusalCode, extra: string | RefusalExtra = {}): Refusal {
  return new Refusal(code, typeof extra === "string" ? { message: extra } : extra);
}
