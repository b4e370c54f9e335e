import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverResult } from '../../driver/index.js';
import { KeyedMutex } from '../../embedded/index.js';
import { answering } from '../client/index.js';
import { areaOf, checkedSitePath, PanelSites, rootOf } from '../sites/index.js';

import { PanelDisk } from './panel-disk.js';
import { RemoteSite } from './remote-site.js';

/** Gives access to the files of a site on a server running BaoTa. Changes to one site run one at a time within this process. */
@Injectable()
export class SiteFileAccess {
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly sites: PanelSites,
    readonly disk: PanelDisk,
  ) {}

  /** Runs `work` with a site, after checking that it belongs to the account. */
  run<Value>(account: DriverAccount, signal: AbortSignal, work: (site: RemoteSite) => Promise<Value>): Promise<DriverResult<Value>> {
    return answering(async () => work(await this.of(account, signal)));
  }

  /** As {@link run}, one change at a time, so that checks still hold when the change is made. */
  change<Value>(account: DriverAccount, signal: AbortSignal, work: (site: RemoteSite) => Promise<Value>): Promise<DriverResult<Value>> {
    const { node, siteName } = account;
    return this.turns.run(`${node.code}\0${siteName}`, () => this.run(account, signal, work));
  }

  /** @throws PanelProblem */
  async of(account: DriverAccount, signal: AbortSignal): Promise<RemoteSite> {
    const { node } = account;
    const site = await this.sites.own(account, signal);
    const place = { node, root: rootOf(node), path: checkedSitePath(node, site.path), area: areaOf(node, site.name) };
    return new RemoteSite(this.disk, place, signal);
  }
}
