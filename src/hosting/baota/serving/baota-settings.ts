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

/** What a program begins with. */
const PROGRAM = 'index.php';

/** What of a site's settings stands on its server. */
interface Standing {
  readonly indexes: string;
  readonly runFolder: string;
  readonly rules: string;
}

/** How sites on servers that run BaoTa are served: what its panel has no call for is written into the file their configuration includes. */
@Injectable()
export class BaotaSettings implements WebSettingsPort {
  /** Their hashes are ours, and its web server knows others. */
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
      const present = await this.standing(node, site, deadline);
      const wanted = wantedOf(settings, present);
      if (JSON.stringify(present) === JSON.stringify(wanted)) return ALREADY;
      // What can be refused for what it says comes first.
      if (present.rules !== wanted.rules) await this.rules.write(node, site, wanted.rules, deadline);
      if (present.indexes !== wanted.indexes)
        await this.sites.done(node, '/site?action=SetIndex', { id: site.id, Index: wanted.indexes }, deadline);
      if (present.runFolder !== wanted.runFolder)
        await this.sites.done(node, '/site?action=SetSiteRunPath', { id: site.id, runPath: `/${wanted.runFolder}` }, deadline);
      return DONE;
    });
  }

  /** Asked for by itself, so it keeps what it is of. */
  readonly matches = (account: DriverAccount, settings: WebSettingsState, deadline: AbortSignal): Promise<DriverResult<boolean>> =>
    answering(async () => {
      const present = await this.standing(account.node, await this.sites.own(account, deadline), deadline);
      return JSON.stringify(present) === JSON.stringify(wantedOf(settings, present));
    });

  private async standing(node: DriverNode, site: PanelSite, signal: AbortSignal): Promise<Standing> {
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

function wantedOf(settings: WebSettingsState, { rules }: Standing): Standing {
  // Programs are put beside the page a new site has: theirs comes first, unless the owner says where it comes.
  const indexes = (settings.indexes.includes(PROGRAM) ? settings.indexes : [PROGRAM, ...settings.indexes]).join(',');
  return { indexes, runFolder: settings.runFolder, rules: withRules(rules, settings) };
}
