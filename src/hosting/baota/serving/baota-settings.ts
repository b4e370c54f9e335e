import { Injectable } from '@nestjs/common';

import {
  ALREADY,
  DONE,
  type DriverAccount,
  type DriverNode,
  type DriverResult,
  type WebSettingsPort,
  type WebSettingsState,
} from '../../driver/index.js';
import { answering, answeringAll, isRecord, messageOf, PanelClient, PanelProblem, textOf } from '../client/index.js';
import { type PanelSite, PanelSites } from '../sites/index.js';

import { withRules } from './nginx-rules.js';
import { RulesFile } from './rules-file.js';
import { runFolderOf } from './run-folder.js';

/** Index file of PHP programs. */
const PROGRAM = 'index.php';

/** The settings of a site as present on its server. */
interface PresentSettings {
  readonly indexes: string;
  readonly runFolder: string;
  readonly rules: string;
}

/** Web settings of sites on servers running BaoTa. Settings the panel's API lacks go into the file their configuration includes. */
@Injectable()
export class BaotaSettings implements WebSettingsPort {
  /** Our password hashes are not supported by its web server. */
  readonly cannot = ['passwords'] as const;

  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly rules: RulesFile,
  ) {}

  apply(account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const { node } = account;
      const site = await this.sites.own(account, deadline);
      const present = await this.presentSettings(node, site, deadline);
      const wanted = wantedOf(settings, present);
      if (JSON.stringify(present) === JSON.stringify(wanted)) return ALREADY;
      // The rules come first, because they can be rejected.
      if (present.rules !== wanted.rules) await this.rules.write(node, site, wanted.rules, deadline);
      if (present.indexes !== wanted.indexes)
        await this.sites.done(node, '/site?action=SetIndex', { id: site.id, Index: wanted.indexes }, deadline);
      if (present.runFolder !== wanted.runFolder)
        await this.sites.done(node, '/site?action=SetSiteRunPath', { id: site.id, runPath: `/${wanted.runFolder}` }, deadline);
      return DONE;
    });
  }

  /** An arrow function, because it is called without its object. */
  readonly matches = (account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult<boolean>> =>
    answering(async () => {
      const present = await this.presentSettings(account.node, await this.sites.own(account, deadline), deadline);
      return JSON.stringify(present) === JSON.stringify(wantedOf(settings, present));
    });

  private async presentSettings(node: DriverNode, site: PanelSite, signal: AbortSignal): Promise<PresentSettings> {
    const { id } = site;
    const index = await this.client.call(node, '/site?action=GetIndex', { id }, signal);
    if (isRecord(index) && index.status === false) throw new PanelProblem({ outcome: 'refused', message: messageOf(index) });
    return {
      indexes: textOf(isRecord(index) ? index.Index : index),
      runFolder: await runFolderOf(this.client, node, id, signal),
      rules: await this.rules.read(node, site, signal),
    };
  }
}

function wantedOf(settings: WebSettingsState, { rules }: PresentSettings): PresentSettings {
  // A new site has a default page, so the program's index file comes first unless the owner chose an order.
  const indexes = (settings.indexes.includes(PROGRAM) ? settings.indexes : [PROGRAM, ...settings.indexes]).join(',');
  return { indexes, runFolder: settings.runFolder, rules: withRules(rules, settings) };
}
