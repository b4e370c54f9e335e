import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import { type DriverAccount, type DriverResult, PortRefusal } from '../../driver/index.js';
import { SiteFolders } from '../site-folders.js';

import { problemOf } from './folder.js';
import { SiteArea } from './site-area.js';
import { KeyedMutex } from './keyed-mutex.js';

/**
 * Gives the ports access to a site's folders on this machine. All access goes through here, so that changes within this process are
 * serialized.
 */
@Injectable()
export class SiteAreas {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly folders: SiteFolders,
    private readonly clock: Clock,
  ) {}

  /** Runs `work` in the account's site and returns its result; a {@link PortRefusal} becomes `refused`. */
  async answer<Value>(account: DriverAccount, work: (area: SiteArea) => Promise<Value>): Promise<DriverResult<Value>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return { outcome: 'not_found' };
    if (record.ownerMark !== account.ownerMark)
      return { outcome: 'refused', message: `The site ${account.siteName} belongs to another account.` };
    await this.folders.finishSwitch(account.siteName);
    return refusing(() => work(new SiteArea(this.folders.folder(account.siteName), this.mutex, () => this.clock.now().getTime())));
  }
}

/** Runs `work` and returns its result; a {@link PortRefusal}, or a file system error that is meaningful to people, becomes `refused`. */
export async function refusing<Value>(work: () => Promise<Value>): Promise<DriverResult<Value>> {
  try {
    return { outcome: 'ok', value: await work() };
  } catch (error) {
    const problem = problemOf(error);
    if (!(problem instanceof PortRefusal)) throw error;
    return { outcome: 'refused', message: problem.code, problem: { code: problem.code, params: problem.params } };
  }
}
