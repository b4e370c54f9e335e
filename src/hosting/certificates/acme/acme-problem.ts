/**
 * What an order failed for, or waits for; each has a text `certificates.problem_<kind>`.
 * - of a name (`name`, `detail`): `dns` it leads nowhere, `connection` nobody answers there, `answer` somebody else does, `caa` its owner
 *   allows other authorities only, `rejected` the authority gives none for it, `proof` it offers no proof by HTTP
 * - of the authority: `limited` it asks to wait, `slow` it does not come to an end, `unreachable` it does not answer or not as
 *   one does, `internal` its address is one of an internal network, `terms` its terms were not agreed to, or anew, `binding` it
 *   wants an account made elsewhere
 * - ours: `limit` what it allows is used up, `off` orders are switched off, `gone` a name is not the site's any more, `stopped` the site
 *   does not run and its server shows no proofs of such a site, `server` the site's server refused, `cancelled`
 * - `other` anything else, in the authority's words
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

/** Longest text of an authority that is kept. */
const LONGEST_DETAIL = 300;

/** An order cannot go on. */
export class AcmeProblem extends Error {
  constructor(
    readonly kind: OrderProblem,
    /** Values for the words. */
    readonly params: Readonly<Record<string, string>> = {},
    /** Error type of the authority, without its prefix; empty where it has not said one. */
    readonly type = '',
    /** When the authority wants to be asked again, in milliseconds from now; null where it has not said. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(`${kind} ${params.name ?? ''} ${params.detail ?? ''}`.trim(), options);
  }
}

/** An authority's own words, as they are kept and shown: one line, of a length that can be read. */
export const detailOf = (text: unknown): string =>
  (typeof text === 'string' ? text : '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_DETAIL);

/** What error types of authorities mean (RFC 8555 section 6.7). */
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

/** The problem document of an authority. @param name it is about, where that is known */
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
