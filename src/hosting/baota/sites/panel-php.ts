import { Injectable } from '@nestjs/common';

import { type DriverAccount, type DriverNode, type DriverResult, type PhpPort, PhpProblem } from '../../driver/index.js';
import { answering, answeringAll, PanelClient, requireData, rowsOf, textOf } from '../client/index.js';

import { PanelSites } from './panel-sites.js';

/** PHP versions of sites on a BaoTa panel. */
@Injectable()
export class PanelPhp implements PhpPort {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
  ) {}

  versions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    return answering(() => this.versionsOf(node, deadline));
  }

  current(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>> {
    return answering(async () => {
      await this.sites.own(account, deadline);
      return this.currentOf(account, deadline);
    });
  }

  use(account: DriverAccount, version: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const { node, siteName } = account;
      await this.sites.own(account, deadline);
      if (!(await this.versionsOf(node, deadline)).includes(version)) throw new PhpProblem('PHP_MISSING', { version });
      if ((await this.currentOf(account, deadline)) === version) return { outcome: 'already', value: undefined };
      await this.sites.done(node, '/site?action=SetPHPVersion', { siteName, version }, deadline);
      return { outcome: 'ok', value: undefined };
    });
  }

  /** Installed versions; `00` means none, and entries that are not numbers are something else. @throws PanelProblem */
  async versionsOf(node: DriverNode, signal: AbortSignal): Promise<string[]> {
    const rows = rowsOf(await this.client.call(node, '/site?action=GetPHPVersion', { s_type: 1 }, signal));
    const versions = rows.filter(({ status }) => status !== false).map(({ version }) => textOf(version));
    return [...new Set(versions.filter((version) => /^\d{2,3}$/.test(version) && version !== '00'))];
  }

  private async currentOf({ node, siteName }: DriverAccount, signal: AbortSignal): Promise<string> {
    const { phpversion } = requireData(await this.client.call(node, '/site?action=GetSitePHPVersion', { siteName }, signal));
    const version = textOf(phpversion);
    return /^\d{2,3}$/.test(version) && version !== '00' ? version : '';
  }
}
