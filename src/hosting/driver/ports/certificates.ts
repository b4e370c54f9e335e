import type { DriverAccount, DriverResult } from '../driver-types.js';

/** A certificate to install on a site's server. */
export interface DriverCertificate {
  /** Its names, in lower case and punycode; `*.example.com` covers all names with one more label. */
  readonly names: readonly string[];
  /** PEM: the site's certificate followed by its intermediate certificates. */
  readonly chain: string;
  /** PEM (PKCS #8), not encrypted. Secret. */
  readonly key: string;
  /** Redirects `http://` to `https://`, except requests for `/.well-known/acme-challenge/`. */
  readonly forceHttps: boolean;
}

/**
 * Response of a site on plain HTTP at `/.well-known/acme-challenge/<token>`, by which an authority validates its name (RFC 8555 section
 * 8.3).
 */
export interface DriverProof {
  /** Name the authority requests. */
  readonly name: string;
  /** `[A-Za-z0-9_-]{1,128}` */
  readonly token: string;
  /** The whole body, as `application/octet-stream`. */
  readonly answer: string;
}

/** Certificates of sites on a kind of server. The panel orders and stores them; a server only installs them. */
export interface CertificatesPort {
  /** A paused or stopped site serves no proofs, so that nothing is ordered until it runs again. */
  readonly needsRunning?: boolean;
  /**
   * Sets the certificate of a site, replacing the present one; null: the site has none and serves only plain HTTP. `already` if unchanged,
   * so that retry and repair are the same call.
   */
  apply(account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has exactly this certificate, or none; see {@link DomainsPort.matches}. */
  matches?(account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Sets the proofs of a site, replacing the present ones; with none, its files are served again. Proofs take precedence over everything
   * else: a pause (but see {@link needsRunning}), `forceHttps`, folder passwords and redirects.
   */
  prove(account: DriverAccount, proofs: readonly DriverProof[], deadline: AbortSignal): Promise<DriverResult>;
}
