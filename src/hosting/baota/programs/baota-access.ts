import { Injectable } from '@nestjs/common';

import { type AccessPort, ALREADY, DONE, type DriverAccount, type DriverResult, type FileAccess } from '../../driver/index.js';
import { answering, answeringAll, SITE_GONE } from '../client/index.js';
import { type PanelFtp, PanelSites } from '../sites/index.js';

const PORT = 21;

/** FTP accounts of sites on servers running BaoTa. */
@Injectable()
export class BaotaAccess implements AccessPort {
  constructor(private readonly sites: PanelSites) {}

  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<FileAccess>> {
    return answering(async () => {
      const { name, enabled } = await this.of(account, deadline);
      return { protocol: 'ftp', host: '', port: PORT, username: name, enabled };
    });
  }

  enable(account: DriverAccount, enabled: boolean, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () =>
      (await this.sites.letIn(account.node, await this.of(account, deadline), enabled, deadline)) ? DONE : ALREADY,
    );
  }

  private async of(account: DriverAccount, signal: AbortSignal): Promise<PanelFtp> {
    const { node, username } = account;
    const ftp = await this.sites.ftp(node, await this.sites.own(account, signal), username, signal);
    if (!ftp) throw SITE_GONE;
    return ftp;
  }
}
