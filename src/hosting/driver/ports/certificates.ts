import type { DriverAccount, DriverResult } from '../driver-types.js';

/** A certificate as a site's server is to have it. */
export interface DriverCertificate {
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
 * What a site answers with on plain HTTP at `/.well-known/acme-challenge/<token>`, so that an authority sees whose the
 * name is (RFC 8555 section 8.3).
 */
export interface DriverProof {
  /** Name the authority asks by. */
  readonly name: string;
  /** `[A-Za-z0-9_-]{1,128}` */
  readonly token: string;
  /** The whole body, as `application/octet-stream`. */
  readonly answer: string;
}

/** Certificates of sites on a kind of server. The panel orders and keeps them; a server installs what it is told. */
export interface CertificatesPort {
  /** A site that is paused or stopped shows no proofs there: nothing is ordered for it before it runs again. */
  readonly needsRunning?: boolean;
  /**
   * Makes this the certificate of a site, in place of whatever it had; null: the site has none, and answers by plain HTTP alone. The same
   * again is `already`, so a repetition and a repair are the same call.
   */
  apply(account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has just this one, or none; as of domains. */
  matches?(account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Makes these the proofs of a site, in place of those it had; none: it answers with its files again. They are answered whatever else the
   * site asks of visitors: while it is paused (but see {@link needsRunning}), before `forceHttps`, folder passwords and redirects.
   */
  prove(account: DriverAccount, proofs: readonly DriverProof[], deadline: AbortSignal): Promise<DriverResult>;
}
