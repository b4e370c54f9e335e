import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import { driverError } from '../accounts/index.js';
import { isElsewhere } from '../domains/index.js';
import { succeeded } from '../driver/index.js';
import { SiteServing } from '../drift/index.js';
import type { SiteMove } from '../entities/index.js';
import { programError } from '../site-programs/index.js';
import { DatabasePasswords } from '../site-tools/index.js';

import { databaseIn } from './belongings.js';
import { domainTaken } from './move-fit.js';
import { MoveError } from './move-errors.js';
import { MoveRecords } from './move-records.js';
import { type MoveEnd, MoveSites } from './move-sites.js';
import { MoveSwitch } from './move-switch.js';
import { SiteCopy } from './site-copy.js';

/** Maximum attempts to stop a site that is being started again. */
const ROUNDS = 3;

/** The steps of a move up to the switch. */
@Injectable()
export class MoveSteps {
  constructor(
    private readonly records: MoveRecords,
    private readonly sites: MoveSites,
    private readonly copies: SiteCopy,
    private readonly switching: MoveSwitch,
    private readonly serving: SiteServing,
    private readonly passwords: DatabasePasswords,
  ) {}

  /** Runs the step of the current state and advances to the next one. @throws errors of either server; MoveError */
  run(row: SiteMove, turn: TaskTurn): Promise<void> {
    if (row.state === 'copying') return this.prepare(row, turn);
    return row.state === 'closing' ? this.close(row, turn) : this.takeBack(row, turn);
  }

  /**
   * Creates the site on the other server and copies it there while the original keeps running, so that problems show before any downtime.
   */
  private async prepare(row: SiteMove, turn: TaskTurn): Promise<void> {
    const account = await this.sites.accountOn(row, row.fromCode);
    // With the same driver, the site keeps its id, because names stored by programs are derived from it.
    const preferredId = row.toId || ((await this.sites.areAlike(row.fromCode, row.toCode)) ? account.siteId : '');
    const making = await this.sites.stopped(account, row.toCode, preferredId);
    // Quotas are set once the copy is complete.
    const made = await making.bound.create({ ...account, webQuotaMb: 0, databaseQuotaMb: 0, trafficQuotaGb: 0 }, null);
    if (!succeeded(made)) throw driverError(made, 'CREATION_REFUSED');
    const { siteId } = made.value;
    await this.records.note(row.id, { toId: siteId });
    const here = await this.sites.on(account, row.fromCode, account.siteId);
    const there = await this.sites.stopped(account, row.toCode, siteId);
    const stopped = await there.bound.stop();
    if (!succeeded(stopped)) throw driverError(stopped);
    await this.usePhp(here, there);
    await this.serve(row, there);
    turn.signal.throwIfAborted();
    await this.copies.run({ row, from: here.site, to: there.site, withoutDatabase: account.state === 'paused' }, turn);
    turn.signal.throwIfAborted();
    await this.records.advance(row, 'closing');
  }

  /** @throws MoveError UNFIT if another site there has taken one of the names since the check */
  private async serve({ username, toCode }: SiteMove, { site }: MoveEnd): Promise<void> {
    try {
      await this.serving.push(site);
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      throw new MoveError('UNFIT', { user: username, to: toCode, reason: domainTaken([String(error.params.domain)]) });
    }
  }

  private async usePhp(here: MoveEnd, there: MoveEnd): Promise<void> {
    if (!here.site.has('php') || !there.site.has('php')) return;
    const version = await here.site.ask('php', (php, account, deadline) => php.current(account, deadline), programError);
    if (version !== '') await there.site.ask('php', (php, account, deadline) => php.use(account, version, deadline), programError);
  }

  /** Stops the site and copies it again; unchanged parts are not copied again. */
  private async close(row: SiteMove, turn: TaskTurn): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await this.sites.accountOn(row, row.fromCode);
      const here = await this.sites.stopped(account, row.fromCode, account.siteId);
      const there = await this.sites.stopped(account, row.toCode, row.toId);
      await this.switching.freeze(await this.records.find(row.id), account, here, turn);
      await this.copies.run({ row, from: here.site, to: there.site }, turn);
      await this.handOver(here, there);
      turn.signal.throwIfAborted();
      if (await this.switching.switchTo(row, row.fromCode, { code: row.toCode, siteId: row.toId })) return;
    }
    throw new MoveError('NEVER_STILL');
  }

  /**
   * Transfers passwords between servers of the same driver; one that does not support it, such as an older agent, keeps its own. To another
   * driver, only the database password is transferred, if it was set in the panel: it is shown to the owner and used by programs.
   */
  private async handOver({ site: here }: MoveEnd, { site: there }: MoveEnd): Promise<void> {
    const taken = here.handsOverTo(there) ? await here.takeCredentials() : null;
    if (taken !== null && (await there.giveCredentials(taken))) return;
    const known = there.has('database') && (await databaseIn(there)) !== null ? await this.passwords.find(here.account.id) : null;
    if (known)
      await there.ask('database', (port, account, deadline) => port.changePassword(account, known.password, deadline), programError);
  }

  /** Returns the account to the unchanged old site; data written since stays on the new server. */
  private async takeBack(row: SiteMove, turn: TaskTurn): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await this.sites.accountOn(row, row.toCode);
      const here = await this.sites.stopped(account, row.toCode, account.siteId);
      await this.switching.freeze(await this.records.find(row.id), account, here, turn);
      if (await this.switching.switchTo(row, row.toCode, { code: row.fromCode, siteId: row.fromId })) return;
    }
    throw new MoveError('NEVER_STILL');
  }
}
