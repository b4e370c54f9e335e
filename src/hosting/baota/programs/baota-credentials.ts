import { Injectable } from '@nestjs/common';

import { ALREADY, type CredentialsPort, DONE, type DriverAccount, type DriverResult } from '../../driver/index.js';
import { answering, answeringAll, serverProblem } from '../client/index.js';
import { type PanelDatabase, type PanelFtp, PASSWORD, PanelSites } from '../sites/index.js';

/** Passwords of an account; null if it has no FTP account or no database. */
interface Passwords {
  readonly ftp: string | null;
  readonly database: string | null;
}

/** FTP and database passwords, which a BaoTa panel stores in plain text. */
@Injectable()
export class BaotaCredentials implements CredentialsPort {
  constructor(private readonly sites: PanelSites) {}

  take(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>> {
    return answering(async () => {
      const { ftp, database } = await this.of(account, deadline);
      return JSON.stringify({ ftp: ftp?.password ?? null, database: database?.password ?? null } satisfies Passwords);
    });
  }

  give(account: DriverAccount, credentials: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const wanted = JSON.parse(credentials) as Passwords;
      if ([wanted.ftp, wanted.database].some((one) => one !== null && !PASSWORD.test(one))) throw serverProblem('SERVER_PASSWORD');
      const { ftp, database } = await this.of(account, deadline);
      const { node } = account;
      let isChanged = false;
      if (ftp && wanted.ftp !== null && ftp.password !== wanted.ftp) {
        await this.sites.setFtpPassword(node, ftp, wanted.ftp, deadline);
        isChanged = true;
      }
      if (database && wanted.database !== null && database.password !== wanted.database) {
        await this.sites.setDatabasePassword(node, database, wanted.database, deadline);
        isChanged = true;
      }
      return isChanged ? DONE : ALREADY;
    });
  }

  private async of(account: DriverAccount, signal: AbortSignal): Promise<{ ftp: PanelFtp | null; database: PanelDatabase | null }> {
    const { node, username } = account;
    const site = await this.sites.own(account, signal);
    return {
      ftp: await this.sites.ftp(node, site, username, signal),
      database: await this.sites.database(node, site, username, signal),
    };
  }
}
