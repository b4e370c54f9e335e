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

/** How long commands that run are waited for, in seconds. */
const COMMANDS_SECONDS = 300;

/** Makes a site stand still on its server, and an account the other server's. */
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
   * Makes a site stand still: nobody writes into it, and its database can be read. What it has besides its rows is noted first, once.
   *
   * @throws MoveError HOST_WORKS; what its server comes to
   */
  async freeze(row: SiteMove, account: HostingAccount, here: MoveEnd, turn: TaskTurn): Promise<Belongings> {
    await this.others.ended(row.hostId, turn.signal);
    let known = row.belongings === null ? null : (JSON.parse(row.belongings) as Belongings);
    if (known === null) {
      known = await readBelongings(here.site);
      await this.records.noteBelongings(row.id, known);
    }
    await shutBelongings(here.site, known);
    await this.drainCommands(row, here, turn);
    const hasDatabase = here.site.has('database') && (await databaseIn(here.site)) !== null;
    // The database of a site that is out of service is shut, too.
    const result = await (account.state === 'paused' ? (hasDatabase ? here.bound.unsuspend() : null) : here.bound.stop());
    if (result && !succeeded(result)) throw driverError(result);
    return known;
  }

  /** What runs writes into the site: it is waited for, and ended where that takes too long, which the operation log says. */
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
   * Makes the account the other server's, where its site still stands still.
   *
   * @param to code of the server, and id of the site there
   * @returns false where somebody has started it meanwhile
   * @throws MoveError HOST_CHANGED, CANCELLED; what either server comes to
   */
  async turn(row: SiteMove, from: string, to: { readonly code: string; readonly siteId: string }): Promise<boolean> {
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
