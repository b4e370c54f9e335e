import type { DriverAccount, DriverResult } from '../driver-types.js';

/** A domain of a site to be served. */
export interface DriverDomain {
  /** In lower case and punycode, such as `www.example.com`; `*.example.com` covers all names with one more label. */
  readonly name: string;
  /** Folder it serves, below the web root and without leading or trailing slashes; empty for the web root. */
  readonly folder: string;
}

/** Domains of sites on a kind of server. The panel's rows are authoritative; the server always receives the complete list. */
export interface DomainsPort {
  /**
   * Sets the domains of a site, besides its own name: missing ones are added, others removed. `already` if unchanged, so that retry and
   * repair are the same call. A refused name, such as one refused by `SERVER_DOMAIN` because another site of the server has it, does not
   * stop the others.
   */
  apply(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has exactly these domains; changes nothing. Missing if the server reads the panel's rows itself or cannot report it. */
  matches?(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Returns the names used by other sites of the server, which {@link apply} would refuse; changes nothing, and the site need not exist
   * yet. Missing if the kind of server cannot report it.
   */
  taken?(account: DriverAccount, names: readonly string[], deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
}
