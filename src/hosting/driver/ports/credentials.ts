import type { DriverAccount, DriverResult } from '../driver-types.js';

/**
 * Password hashes of a site, of FTP or SFTP and of its database, as stored by a kind of server. Another server of the same kind accepts
 * them, so that passwords and configured programs keep working after a move.
 */
export interface CredentialsPort {
  /**
   * Returns the site's hashes: text of at most 10,000 characters in a format of this kind of server. Secret: encrypted when stored, never
   * logged.
   */
  take(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /** Sets them on another server. A repeated call changes nothing. */
  give(account: DriverAccount, credentials: string, deadline: AbortSignal): Promise<DriverResult>;
}
