import { Injectable } from '@nestjs/common';

import { loggerFor, type Words } from '../../common/index.js';
import { driverError } from '../accounts/index.js';
import { succeeded } from '../driver/index.js';
import { isElsewhere } from '../domains/index.js';
import { SiteRepair } from '../drift/index.js';
import type { HostingAccount, SiteMove } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { DatabasePasswords } from '../site-tools/index.js';

import { type Belongings, giveBelongings } from './belongings.js';
import { MoveNotices } from './move-notices.js';
import { MoveRecords } from './move-records.js';
import { type MoveEnd, MoveSites } from './move-sites.js';
import { SiteCopy } from './site-copy.js';

const log = loggerFor('hosting');
/** Suspension reason of the old site, for its server's own records. */
const REASON = 'moved';

/** Completes or rolls back moves. Every step can be repeated after an interruption. */
@Injectable()
export class MoveEnds {
  constructor(
    private readonly records: MoveRecords,
    private readonly sites: MoveSites,
    private readonly repairs: SiteRepair,
    private readonly copies: SiteCopy,
    private readonly notices: MoveNotices,
    private readonly passwords: DatabasePasswords,
  ) {}

  /** Completes the switch: applies all settings on the new server, and suspends the old site. */
  async finishSwitch(row: SiteMove): Promise<void> {
    const account = await this.sites.accountOf(row);
    // An account deleted in the meantime was deleted on the new server.
    let refused: Words | null = null;
    if (account) {
      refused = await this.repair(row, account);
      const here = await this.sites.on(account, row.toCode, row.toId);
      if (row.belongings) await giveBelongings(here.site, JSON.parse(row.belongings) as Belongings);
      // The old site still has the password from the time it was moved away.
      if (row.returnedAt && row.switchedAt) await this.passwords.forget(account.id, row.switchedAt);
      await this.suspendOldSite(row, account);
    }
    await this.records.completed(row, refused);
    await this.notices.moved(row);
  }

  /**
   * Applies domains and settings. A name taken by another site on the new server in the meantime is reported and does not block the move.
   * @returns the problem
   */
  private async repair({ id }: SiteMove, account: HostingAccount): Promise<Words | null> {
    try {
      await this.repairs.repair(account.id);
      return null;
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      log.warn(
        { move: id, host: account.id, domain: error.params.domain },
        'a domain of a moved site belongs to another site on the new server',
      );
      return error.told;
    }
  }

  /** Rolls a move back: the site keeps running on its server, and the copy on the other server is removed. */
  async undo(row: SiteMove): Promise<void> {
    const account = await this.sites.accountOf(row);
    if (account?.nodeCode === row.fromCode) await this.resumeSite(row, account, await this.sites.on(account, row.fromCode, account.siteId));
    const copy = await this.sites.remains(row, row.toCode, row.toId);
    if (copy) await this.removeCopy(row, () => this.sites.destroy(copy));
    await this.records.advance(row, 'failed', { busy: null });
    await this.notices.failed(row);
  }

  /** Ends a failed return: the site keeps running on the server it was moved to. @param why in the format of the row */
  async abortReturn({ id }: SiteMove, why: string): Promise<void> {
    // Reads the current row: data stored before the site was stopped shows that it was stopped.
    const row = await this.records.find(id);
    const account = await this.sites.accountOf(row);
    if (account?.nodeCode === row.toCode) await this.resumeSite(row, account, await this.sites.on(account, row.toCode, account.siteId));
    await this.records.advance(row, 'kept', { busy: null, error: why });
    await this.notices.failed(row);
  }

  /** Restores a stopped site to the state of its account. */
  private async resumeSite(row: SiteMove, account: HostingAccount, { site, bound }: MoveEnd): Promise<void> {
    if (site.has('backups')) await this.copies.clear(site, row);
    if (row.belongings === null) return;
    const result = await (account.state === 'paused' ? bound.suspend(account.pauseReasons.join(',')) : bound.unsuspend());
    if (!succeeded(result)) throw driverError(result);
    await giveBelongings(site, JSON.parse(row.belongings) as Belongings);
  }

  /** The old site is already stopped, so a server that does not answer now does not block the move. */
  private async suspendOldSite(row: SiteMove, account: HostingAccount): Promise<void> {
    const old = await this.sites.on(account, row.fromCode, row.fromId).catch((error: unknown) => {
      if (error instanceof HostingError) return null;
      throw error;
    });
    if (!old) return;
    const result = await old.bound.suspend(REASON);
    if (!succeeded(result)) log.warn({ move: row.id, outcome: result.outcome }, 'the old site of a move could not be suspended');
  }

  /** The creation was rejected because the name belongs to another account there: nothing to remove. */
  private async removeCopy({ toId }: SiteMove, remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (toId === '' && error instanceof HostingError && error.code === 'NODE_REFUSED') return;
      throw error;
    }
  }
}
