import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * A certificate as a site's server is to have it. The panel orders it, renews it and keeps it.
 *
 * @example
 * ```ts
 * const pemOf = ({ key, chain }: HostDriverCertificate): string => `${key}\n${chain}`;
 * ```
 * @since 1.84.0
 */
export interface HostDriverCertificate {
  /** Names it is for, in lower case and punycode; `*.example.com` stands for every name of one label more. */
  readonly names: readonly string[];
  /** PEM: the site's own certificate, then those that lead to its authority. */
  readonly chain: string;
  /** PEM (PKCS #8), not encrypted: a secret. */
  readonly key: string;
  /** Visitors who come by `http://` are sent to `https://`, but never those of `/.well-known/acme-challenge/`. */
  readonly forceHttps: boolean;
}

/**
 * What a site answers with on plain HTTP at `/.well-known/acme-challenge/<token>`, so that an authority sees whose the name is.
 *
 * @example
 * ```ts
 * const pathOf = ({ token }: HostDriverProof): string => `/.well-known/acme-challenge/${token}`;
 * ```
 * @since 1.84.0
 */
export interface HostDriverProof {
  /** Name the authority asks by. */
  readonly name: string;
  /** `[A-Za-z0-9_-]{1,128}` */
  readonly token: string;
  /** The whole body, as `application/octet-stream`. */
  readonly answer: string;
}

/**
 * Certificates of sites on a kind of server. The panel's rows are the truth; the server installs what it is told.
 *
 * @example
 * ```ts
 * const installed = new Map<string, string>();
 * const certificates: HostDriverCertificates = {
 *   apply({ siteName }, certificate) {
 *     const same = (installed.get(siteName) ?? 'null') === JSON.stringify(certificate);
 *     installed.set(siteName, JSON.stringify(certificate));
 *     return { outcome: same ? 'already' : 'ok' };
 *   },
 *   prove: (_account, proofs) => ({ outcome: proofs.length === 0 ? 'already' : 'ok' }),
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverCertificates {
  /**
   * Makes this the certificate of a site, in place of whatever it had; null: it has none, and answers by plain HTTP
   * alone. The same again is `already`.
   */
  apply: (account: HostDriverAccount, certificate: HostDriverCertificate | null, deadline: AbortSignal) => HostDriverAnswer;
  /** Whether a site has just this one, or none, which **Compare and repair** asks; it changes nothing. Without it they are not compared. */
  matches?: (account: HostDriverAccount, certificate: HostDriverCertificate | null, deadline: AbortSignal) => HostDriverAnswer<boolean>;
  /**
   * Makes these the proofs of a site, in place of those it had; none: it answers with its files again. They are answered whatever else the
   * site asks of visitors: while it is paused, before `forceHttps`, folder passwords and redirects. The same again is `already`.
   */
  prove: (account: HostDriverAccount, proofs: readonly HostDriverProof[], deadline: AbortSignal) => HostDriverAnswer;
}
