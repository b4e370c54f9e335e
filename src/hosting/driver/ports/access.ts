import type { DriverAccount, DriverResult } from '../driver-types.js';

/** How the owner of a site gets at its files without the panel. */
export interface FileAccess {
  readonly protocol: 'ftp' | 'sftp';
  /** Empty: the address of the server, or what is said of it in the panel. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly enabled: boolean;
}

/**
 * FTP or SFTP of sites on a kind of server. Its password is the account's, which `HostDriver.changePassword` sets; a suspended account has
 * no access, whatever it is here.
 */
export interface AccessPort {
  /** `not_found` where the site has no such account. */
  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<FileAccess>>;
  /** Lets the owner in, or not. The same again is `already`. */
  enable(account: DriverAccount, enabled: boolean, deadline: AbortSignal): Promise<DriverResult>;
}
