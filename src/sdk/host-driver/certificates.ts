import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * A certificate to install for a site. The panel orders, renews and stores it.
 *
 * @example
 * ```ts
 * const pemOf = ({ key, chain }: HostDriverCertificate): string => `${key}\n${chain}`;
 * ```
 * @since 1.84.0
 */
export interface HostDriverCertificate {
  /** Names it covers, in lower case and punycode; `*.example.com` covers every name with exactly one more label. */
  readonly names: readonly string[];
  /** PEM: the site's own certificate, then the intermediate certificates. */
  readonly chain: string;
  /** PEM (PKCS #8), not encrypted: a secret. */
  readonly key: string;
  /** Redirects visitors from `http://` to `https://`, except for `/.well-known/acme-challenge/`. */
  readonly forceHttps: boolean;
}

/**
 * The response a site must give over plain HTTP at `/.well-known/acme-challenge/<token>`, so that a certificate authority can verify the
 * name.
 *
 * @example
 * ```ts
 * const pathOf = ({ token }: HostDriverProof): string => `/.well-known/acme-challenge/${token}`;
 * ```
 * @since 1.84.0
 */
export interface HostDriverProof {
  /** Name the authority requests. */
  readonly name: string;
  /** Matches `[A-Za-z0-9_-]{1,128}`. */
  readonly token: string;
  /** The complete response body, sent as `application/octet-stream`. */
  readonly answer: string;
}

/**
 * Certificates of sites on a kind of server. The panel's database is authoritative; the server installs what it is given.
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
   * Installs a certificate for a site in place of the current one; null removes it, and the site then uses plain HTTP only. A repeated call
   * returns `already`.
   */
  apply: (account: HostDriverAccount, certificate: HostDriverCertificate | null, deadline: AbortSignal) => HostDriverAnswer;
  /**
   * Returns whether a site has exactly this certificate, or none, for **Compare and repair**; changes nothing. If omitted, they are not
   * compared.
   */
  matches?: (account: HostDriverAccount, certificate: HostDriverCertificate | null, deadline: AbortSignal) => HostDriverAnswer<boolean>;
  /**
   * Sets the challenge responses of a site, in place of the previous ones; with none, the site serves its files again. They take precedence
   * over every other rule of the site: they are served while it is paused, and before `forceHttps`, folder passwords and redirects. A
   * repeated call returns `already`.
   */
  prove: (account: HostDriverAccount, proofs: readonly HostDriverProof[], deadline: AbortSignal) => HostDriverAnswer;
}
