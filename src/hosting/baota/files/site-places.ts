import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverResult } from '../../driver/index.js';
import { KeyedMutex } from '../../embedded/index.js';
import { answering } from '../client/index.js';
import { areaOf, checkedSitePath, PanelSites, rootOf } from '../sites/index.js';

import { PanelDisk } from './panel-disk.js';
import { RemoteSite } from './remote-site.js';

/**
 * The way to the files of a site on a server that runs BaoTa: whoever changes them through here takes turns
 * with all others of this process.
 */
@Injectable()
export class SitePlaces {
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly sites: PanelSites,
    readonly disk: PanelDisk,
  ) {}

  /** What `work` comes to, in a site that is this account's. */
  look<Value>(account: DriverAccount, signal: AbortSignal, work: (site: RemoteSite) => Promise<Value>): Promise<DriverResult<Value>> {
    return answering(async () => work(await this.of(account, signal)));
  }

  /** The same of a change: one at a time, so that what was looked at is still so when it is changed. */
  change<Value>(account: DriverAccount, signal: AbortSignal, work: (site: RemoteSite) => Promise<Value>): Promise<DriverResult<Value>> {
    const { node, siteName } = account;
    return this.turns.run(`${node.code}\0${siteName}`, () => this.look(account, signal, work));
  }

  /** @throws PanelProblem */
  async of(account: DriverAccount, signal: AbortSignal): Promise<RemoteSite> {
    const { node } = account;
    const site = await this.sites.own(account, signal);
    const place = { node, root: rootOf(node), path: checkedSitePath(node, site.path), area: areaOf(node, site.name) };
    return new RemoteSite(this.disk, place, signal);
  }
}
