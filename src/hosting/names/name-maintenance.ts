import { Injectable } from '@nestjs/common';

import { daysBetween, errorMessage, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { dayAfter } from '../calendar.js';
import { HostingAccount, type SoldName } from '../entities/index.js';

import { NameRepository } from './name-repository.js';
import { Names } from './names.js';
import { Zones } from './zones.js';

const BATCH = 200;
/** Days before the last day on which owners are reminded. */
const REMINDERS = [0, 1, 3, 7];
const log = loggerFor('names');

registerNotice({
  kind: 'expire',
  title: { key: 'names.notice_ends' },
  texts: [
    { key: 'names.notice_ends_text', params: { name: 'shop.example.com', n: 3, day: '2026-12-31' } },
    { key: 'names.notice_ends_today', params: { name: 'shop.example.com', day: '2026-12-31' } },
  ],
});
registerNotice({
  kind: 'expire',
  title: { key: 'names.notice_gone' },
  texts: [{ key: 'names.notice_gone_text', params: { name: 'shop.example.com' } }],
});

/**
 * Processes names over time: sends reminders, ends names that were not renewed, and expires reservations and blocks. Days are in the time
 * zone of the installation.
 */
@Injectable()
export class NameMaintenance {
  constructor(
    private readonly repository: NameRepository,
    private readonly names: Names,
    private readonly zones: Zones,
    private readonly notices: Notices,
    private readonly database: Database,
  ) {}

  /** May run in several processes at the same time. @returns number of names ended */
  @Job({ name: 'names', everyMinutes: 10 })
  async run(turn?: JobTurn): Promise<number> {
    for (const accountId of new Set((await this.repository.pendingServerUpdates(BATCH)).map((row) => row.untoldAccountId!)))
      await this.names.updateServer(accountId);
    await this.repository.forget();
    let ended = 0;
    for (const row of await this.repository.orphans(BATCH)) ended += await this.end(row);
    const today = this.names.today();
    for (let after = 0; ;) {
      const rows = await this.repository.ending(dayAfter(today, REMINDERS.at(-1)!), after, BATCH);
      const zones = await this.zones.byId(rows.map(({ zoneId }) => zoneId));
      for (const row of rows) {
        turn?.signal.throwIfAborted();
        const isOver = dayAfter(row.expiresOn!, zones.get(row.zoneId)?.graceDays ?? 0) < today;
        if (isOver) ended += await this.end(row, true);
        else await this.remind(row, today);
      }
      if (rows.length < BATCH) return ended;
      after = rows.at(-1)!.id;
    }
  }

  private async end(row: SoldName, isTold = false): Promise<number> {
    try {
      const user = isTold ? await this.userOf(row) : null;
      await this.names.release(row);
      if (user !== null)
        await this.notify(row, user, 'names.notice_gone', { key: 'names.notice_gone_text', params: { name: row.name } }, 'gone');
      return 1;
    } catch (error) {
      log.warn({ name: row.name, reason: errorMessage(error) }, 'an expired name could not be released');
      return 0;
    }
  }

  private async remind(row: SoldName, today: string): Promise<void> {
    const day = row.expiresOn!;
    const n = daysBetween(today, day);
    const step = REMINDERS.find((days) => n <= days);
    // Missed reminders are made up for once, not every day.
    if (n < 0 || step === undefined || (row.remindedOn !== null && row.remindedOn >= dayAfter(day, -step))) return;
    const user = await this.userOf(row);
    if (!(await this.repository.remind(row, today)) || user === null) return;
    const params = { name: row.name, n, day };
    const key = n === 0 ? 'names.notice_ends_today' : 'names.notice_ends_text';
    await this.notify(row, user, 'names.notice_ends', { key, params }, String(step));
  }

  private async notify(
    row: SoldName,
    account: string,
    title: string,
    text: { key: string; params: Record<string, string | number> },
    step: string,
  ): Promise<void> {
    await this.notices.send({
      to: { account },
      kind: 'expire',
      level: 'warning',
      key: `name:${row.id}:${row.expiresOn ?? ''}:${step}`,
      title: { key: title },
      text,
      link: '/user/names',
    });
  }

  /** Returns the user to notify: the name's own host, otherwise another one of its customer. */
  private async userOf({ accountId, customerId }: SoldName): Promise<string | null> {
    const where = accountId === null ? { ownerId: customerId! } : { id: accountId };
    const account = await this.database.repository(HostingAccount).findOne({ where, order: { id: 'ASC' } });
    return account?.username ?? null;
  }
}
