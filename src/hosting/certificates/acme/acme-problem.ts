/**
 * Why an order failed or is waiting; each has a text `certificates.problem_<kind>`.
 * - of a name (`name`, `detail`): `dns` it does not resolve, `connection` nothing answers there, `answer` another server answers, `caa` its
 * CAA
 *   record allows only other authorities, `rejected` the authority issues no certificate for it, `proof` no HTTP challenge is offered
 * - of the authority: `limited` it asks to wait, `slow` it does not finish, `unreachable` it does not answer, or not as an authority,
 *   `internal` its address belongs to an internal network, `terms` its terms were not accepted, or changed, `binding` it requires an
 *   existing account
 * - ours: `limit` its rate limit is used up, `off` orders are disabled, `gone` a name no longer belongs to the site, `stopped` the site
 *   is not running and its server serves no proofs of such a site, `server` the site's server refused, `cancelled`
 * - `other` anything else, in the authority's own message
 */
export type OrderProblem =
  | 'dns'
  | 'connection'
  | 'answer'
  | 'caa'
  | 'rejected'
  | 'proof'
  | 'limited'
  | 'slow'
  | 'unreachable'
  | 'internal'
  | 'terms'
  | 'binding'
  | 'limit'
  | 'off'
  | 'gone'
  | 'stopped'
  | 'server'
  | 'cancelled'
  | 'other';

/** Maximum length of a stored message of an authority. */
const MAX_DETAIL = 300;

/** Thrown when an order cannot continue. */
export class AcmeProblem extends Error {
  constructor(
    readonly kind: OrderProblem,
    /** Parameters of the text. */
    readonly params: Readonly<Record<string, string>> = {},
    /** Error type of the authority without its prefix; empty if it gave none. */
    readonly type = '',
    /** After how many milliseconds the authority wants the next request; null if it did not say. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(`${kind} ${params.name ?? ''} ${params.detail ?? ''}`.trim(), options);
  }
}

/** Turns an authority's message into a single line of limited length. */
export const detailOf = (text: unknown): string =>
  (typeof text === 'string' ? text : '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL);

/** Meaning of the error types of authorities (RFC 8555 section 6.7). */
const OF_TYPE: Readonly<Record<string, OrderProblem>> = {
  dns: 'dns',
  connection: 'connection',
  tls: 'connection',
  unauthorized: 'answer',
  incorrectResponse: 'answer',
  caa: 'caa',
  rejectedIdentifier: 'rejected',
  unsupportedIdentifier: 'rejected',
  rateLimited: 'limited',
  serverInternal: 'unreachable',
  userActionRequired: 'terms',
  externalAccountRequired: 'binding',
};

/** Converts the problem document of an authority. @param name it is about, if known */
export function problemOf(document: unknown, name = '', retryAfterMs: number | null = null): AcmeProblem {
  const { type, detail, subproblems } = (document ?? {}) as { type?: unknown; detail?: unknown; subproblems?: unknown };
  const [first] = Array.isArray(subproblems)
    ? (subproblems as { type?: unknown; detail?: unknown; identifier?: { value?: unknown } }[])
    : [];
  const named = typeof first?.identifier?.value === 'string' ? first.identifier.value : name;
  const kind = (typeof first?.type === 'string' ? first.type : typeof type === 'string' ? type : '').replace(
    /^urn:ietf:params:acme:error:/,
    '',
  );
  return new AcmeProblem(
    OF_TYPE[kind] ?? 'other',
    { name: named.slice(0, 253), detail: detailOf(first?.detail ?? detail) },
    kind.slice(0, 50),
    retryAfterMs,
  );
}
