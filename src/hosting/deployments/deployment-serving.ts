import { Injectable } from '@nestjs/common';

import type { WebSettingsState } from '../driver/index.js';
import { programError } from '../site-programs/index.js';
import { WebSettingRepository, WebSettingError } from '../web-settings/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Changes folder, rewrite rules and PHP of a site during an installation. Settings its server does not support are left unchanged. */
@Injectable()
export class DeploymentServing {
  constructor(private readonly settings: WebSettingRepository) {}

  /** Sets the served folder below the web root, empty for the web root. */
  async showFolder(site: OpenSite, runFolder: string): Promise<void> {
    if (site.has('settings')) await this.change(site, { runFolder });
  }

  /** @throws WebSettingError RULE for rules the server rejects: the previous ones stay in effect */
  async useRules(site: OpenSite, rewrites: string): Promise<void> {
    if (!site.has('rewrites')) return;
    await site.ask(
      'rewrites',
      (port, account, deadline) => port.apply(account, rewrites, deadline),
      ({ params: { problem = '' } = {} }) => new WebSettingError('RULE', { problem }),
    );
    await this.change(site, { rewrites });
  }

  /** @throws ProgramError PHP_MISSING, PHP_FIXED */
  async usePhp(site: OpenSite, version: string): Promise<void> {
    await site.ask('php', (port, account, deadline) => port.use(account, version, deadline), programError);
  }

  private async change(site: OpenSite, given: Partial<WebSettingsState>): Promise<void> {
    await this.settings.change(site, () => given);
  }
}
