import type { DriverAccount, DriverResult } from '../driver-types.js';

/**
 * Passwords of a site, of FTP or SFTP and of its database, as a kind of server keeps them: hashes, which say nothing about the passwords
 * but let the same ones in on another server of the kind. Nobody has to set new ones when a site is moved, and its programs go on.
 */
export interface CredentialsPort {
  /**
   * What the site has: text of at most 10,000 characters that only this kind of server understands. A secret: sealed where it is kept,
   * never logged.
   */
  take(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /** Makes it the site's, on another server. The same again changes nothing. */
  give(account: DriverAccount, credentials: string, deadline: AbortSignal): Promise<DriverResult>;
}
