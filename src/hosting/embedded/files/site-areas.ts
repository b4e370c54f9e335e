import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import { type DriverAccount, type DriverResult, PortRefusal } from '../../driver/index.js';
import { SiteFolders } from '../site-folders.js';

import { problemOf } from './folder.js';
import { SiteArea } from './site-area.js';
import { KeyedMutex } from './keyed-mutex.js';

/**
 * The way to what a site has on this machine, for the ports: whoever changes it through here takes turns with all others of this process.
 */
@Injectable()
export class SiteAreas {
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly folders: SiteFolders,
    private readonly clock: Clock,
  ) {}

  /** What `work` comes to, in a site that is this account's; a {@link PortRefusal} is `refused`. */
  async answer<Value>(account: DriverAccount, work: (area: SiteArea) => Promise<Value>): Promise<DriverResult<Value>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return { outcome: 'not_found' };
    if (record.ownerMark !== account.ownerMark)
      return { outcome: 'refused', message: `The site ${account.siteName} belongs to another account.` };
    await this.folders.finishSwitch(account.siteName);
    return refusing(() => work(new SiteArea(this.folders.folder(account.siteName), this.turns, () => this.clock.now().getTime())));
  }
}

/** What `work` comes to; a {@link PortRefusal}, and what the file system says that means something to people, is `refused`. */
export async function refusing<Value>(work: () => Promise<Value>): Promise<DriverResult<Value>> {
  try {
    return { outcome: 'ok', value: await work() };
  } catch (error) {
    const problem = problemOf(error);
    if (!(problem instanceof PortRefusal)) throw error;
    return { outcome: 'refused', message: problem.code, problem: { code: problem.code, params: problem.params } };
  }
}
