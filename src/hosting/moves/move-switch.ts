import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import { AccountChanges, driverError, ReconciledChanges } from '../accounts/index.js';
import { lastDayOf } from '../calendar.js';
import { succeeded } from '../driver/index.js';
import { type HostingAccount, type SiteMove } from '../entities/index.js';
import { programError } from '../site-programs/index.js';

import { type Belongings, databaseIn, readBelongings, shutBelongings } from './belongings.js';
import { MoveError } from './move-errors.js';
import { MoveNotices } from './move-notices.js';
import { MoveRecords } from './move-records.js';
import { type MoveEnd, MoveSites } from './move-sites.js';
import { OtherWork } from './other-work.js';

/** How long to wait for running commands, in seconds. */
const COMMANDS_SECONDS = 300;

/** Stops a site on its server, and switches an account to the other server. */
@Injectable()
export class MoveSwitch {
  constructor(
    private readonly records: MoveRecords,
    private readonly sites: MoveSites,
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly others: OtherWork,
    private readonly notices: MoveNotices,
  ) {}

  /**
   * Stops a site: nothing writes to it any more, and its database can be read. Before that, stores its data that is not in rows, once.
   *
   * @throws MoveError HOST_WORKS; errors of its server
   */
  async freeze(row: SiteMove, account: HostingAccount, here: MoveEnd, turn: TaskTurn): Promise<Belongings> {
    await this.others.waitUntilDone(row.hostId, turn.signal);
    let known = row.belongings === null ? null : (JSON.parse(row.belongings) as Belongings);
    if (known === null) {
      known = await readBelongings(here.site);
      await this.records.noteBelongings(row.id, known);
    }
    await shutBelongings(here.site, known);
    await this.drainCommands(row, here, turn);
    const hasDatabase = here.site.has('database') && (await databaseIn(here.site)) !== null;
    // The database of a suspended site is blocked as well, so it must be unsuspended to be read.
    const result = await (account.state === 'paused' ? (hasDatabase ? here.bound.unsuspend() : null) : here.bound.stop());
    if (result && !succeeded(result)) throw driverError(result);
    return known;
  }

  /** Waits for running commands, which may write to the site. After the timeout they are terminated, and the operation log says so. */
  private async drainCommands(row: SiteMove, { site }: MoveEnd, turn: TaskTurn): Promise<void> {
    if (!site.has('commands') || !site.port('commands').drain) return;
    const ended = await site.ask(
      'commands',
      (port, account) => port.drain!(account, COMMANDS_SECONDS, turn.signal),
      programError,
      turn.signal,
    );
    if (ended > 0) await this.notices.commandsEnded(row, ended);
  }

  /**
   * Switches the account to the other server, if its site is still stopped.
   *
   * @param to code of the server, and id of the site there
   * @returns false if the site was started in the meantime
   * @throws MoveError HOST_CHANGED, CANCELLED; errors of either server
   */
  async switchTo(row: SiteMove, from: string, to: { readonly code: string; readonly siteId: string }): Promise<boolean> {
    let still = true;
    await this.reconciled.run(row.hostId, 'measure', async (claim) => {
      const { account } = claim;
      if (account.nodeCode !== from) throw new MoveError('HOST_CHANGED');
      const here = await this.sites.on(account, account.nodeCode, account.siteId);
      const status = await here.bound.sync();
      if (!succeeded(status)) throw driverError(status);
      if (status.value.running) {
        still = false;
        return account;
      }
      const there = await this.sites.on(account, to.code, to.siteId);
      await this.changes.callServer(claim, () => there.bound.renew(lastDayOf(account)));
      await this.changes.callServer(claim, () => there.bound.changeLimits(account));
      return this.changes.finish(claim, { nodeCode: to.code, siteId: to.siteId, databaseUser: null }, async () => {
        await this.records.switched(row);
      });
    });
    return still;
  }
}
