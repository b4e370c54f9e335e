import type { DriverAccount, DriverResult } from '../driver-types.js';

/** How the owner of a site accesses its files without the panel. */
export interface FileAccess {
  readonly protocol: 'ftp' | 'sftp';
  /** Empty for the address of the server, or the one configured in the panel. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly enabled: boolean;
}

/**
 * FTP or SFTP of sites on a kind of server. The password is the account's, set by `HostDriver.changePassword`; a suspended account has no
 * access, whatever is set here.
 */
export interface AccessPort {
  /** `not_found` if the site has no such access. */
  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<FileAccess>>;
  /** Enables or disables access. `already` if unchanged. */
  enable(account: DriverAccount, enabled: boolean, deadline: AbortSignal): Promise<DriverResult>;
}
