import type { DriverAccount, DriverResult } from '../driver-types.js';

/** A domain of a site as its server is to serve it. */
export interface DriverDomain {
  /** In lower case and punycode, such as `www.example.com`; `*.example.com` stands for every name of one label more. */
  readonly name: string;
  /** Folder it shows, below the web root and without slashes around it; empty for the web root. */
  readonly folder: string;
}

/** Domains of sites on a kind of server. The panel's rows are the truth; the server is told the whole of what it is to have. */
export interface DomainsPort {
  /**
   * Makes these the domains of a site, besides the name it has of its own: what is missing is added, what is not among them removed. The
   * same again is `already`, so a repetition and a repair are the same call.
   * A name that is refused, such as by `SERVER_DOMAIN` where another site of the server has it, keeps no other one from being bound.
   */
  apply(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult>;
  /** Whether a site has just these; it changes nothing. A server that reads the panel's rows itself, or cannot tell, has none of it. */
  matches?(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Which of these names other sites of the server have, so that {@link apply} would refuse them; it changes nothing, and the site need
   * not be there yet. A kind that cannot say has none of it.
   */
  taken?(account: DriverAccount, names: readonly string[], deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
}
