import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { actorOf } from '../audit/index.js';
import type { StoreCall } from '../call/index.js';
import { StoreFinding, type StoreItem, StoreUser, StoreVersion } from '../entities/index.js';
import { BlockedFiles, permissionsOf, type SubmissionFollowUp } from '../items/index.js';

import { Decisions } from './decisions.js';

const log = loggerFor('store');

/** Of a hundred versions of trusted authors, so many go to review all the same. */
export const SPOT_CHECK_PERCENT = 10;

/**
 * Publishes a new version at once where an administrator trusts its author. Reviewed all the same are: items that are not published,
 * versions with grave findings or blocked files, those that ask for more permissions than the published one, and a share at random.
 */
@Injectable()
export class TrustedAuthors implements SubmissionFollowUp {
  /** A number from 0 to 99; tests give their own. */
  chance = (): number => randomInt(100);

  constructor(
    private readonly database: Database,
    private readonly blocked: BlockedFiles,
    private readonly decisions: Decisions,
  ) {}

  async submitted(item: StoreItem, version: StoreVersion, call: StoreCall): Promise<boolean> {
    const author = await this.database.repository(StoreUser).findOneBy({ id: call.caller!.id });
    if (!author?.trustedAt || item.status !== 'approved' || !(await this.isHarmless(item, version))) return false;
    if (this.chance() < SPOT_CHECK_PERCENT) {
      await this.database.repository(StoreVersion).update({ id: version.id, status: 'pending' }, { spotCheck: true });
      return false;
    }
    try {
      await this.decisions.approve(item.id, '', actorOf(call), { version: version.version, byTrust: true });
      return true;
    } catch (error) {
      // It waits for a reviewer, as every other one does.
      log.warn({ err: error, itemId: item.id, version: version.version }, 'a version of a trusted author was not published at once');
      return false;
    }
  }

  private async isHarmless(item: StoreItem, version: StoreVersion): Promise<boolean> {
    if (await this.database.repository(StoreFinding).existsBy({ versionId: version.id, severity: 'danger' })) return false;
    if ((await this.blocked.ofVersion(version.id)).length > 0) return false;
    const published = await this.database
      .repository(StoreVersion)
      .findOneBy({ itemId: item.id, versionKey: item.version.toLowerCase(), status: 'approved' });
    const known = permissionsOf(published?.manifest ?? null);
    return published !== null && permissionsOf(version.manifest).every((name) => known.includes(name));
  }
}
