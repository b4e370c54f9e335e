import '../texts.js';

import { Injectable, Module } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';

/** Whole days left at which the owner of a host is told. */
const DAYS_LEFT = [7, 3, 1, 0];
/** Percent of the month's traffic from which the owner is told. */
const TRAFFIC_PERCENT = 80;
const BYTES_PER_GB = 1024 ** 3;
const DAY_MS = 86_400_000;
const BATCH = 200;

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.reminder_expiry' },
  texts: [
    { key: 'hosting.reminder_expires', params: { n: 7, day: '2026-12-31' } },
    { key: 'hosting.reminder_expires_today', params: { day: '2026-12-31' } },
  ],
});
registerNotice({
  kind: 'traffic',
  title: { key: 'hosting.reminder_traffic' },
  texts: [{ key: 'hosting.reminder_traffic_used', params: { percent: 80 } }],
});
registerNotice({
  kind: 'traffic',
  title: { key: 'hosting.reminder_traffic_over' },
  texts: [{ key: 'hosting.reminder_traffic_over_text', params: { percent: 100 } }],
});

/** Tells the owners of hosts what is about to end: their time, or the month's traffic. Days are those of the installation's zone. */
@Injectable()
export class Reminders {
  private readonly ending;
  private readonly busy;

  constructor(
    database: Database,
    private readonly notices: Notices,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.ending = database.statement<{ id: number; username: string }>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.username} AS username FROM {HostingAccount}
       WHERE {HostingAccount.expiresOn} = ? AND {HostingAccount.id} > ? AND {HostingAccount.state} = 'active'
       ORDER BY {HostingAccount.id} LIMIT ${BATCH}`,
    );
    this.busy = database.statement<{ id: number; username: string; percent: number | string; quota: number }>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.username} AS username, {HostingAccount.trafficQuotaGb} AS quota,
         FLOOR({HostingAccount.trafficUsedBytes} * 100.0 / ({HostingAccount.trafficQuotaGb} * ${BYTES_PER_GB})) AS percent
       FROM {HostingAccount} WHERE {HostingAccount.id} > ? AND {HostingAccount.trafficQuotaGb} > 0
         AND {HostingAccount.trafficUsedBytes} >= {HostingAccount.trafficQuotaGb} * ${(BYTES_PER_GB * TRAFFIC_PERCENT) / 100}
         AND {HostingAccount.state} IN ('active', 'paused') ORDER BY {HostingAccount.id} LIMIT ${BATCH}`,
    );
  }

  /** Seven days, three days, one day before the last day and on it. @returns how many were told */
  @Job({ name: 'expiry-reminders', dailyAt: '09:00' })
  async ofExpiry(turn?: JobTurn): Promise<number> {
    const today = legacyDay(this.clock.now(), this.config.timezone);
    let told = 0;
    for (const n of DAYS_LEFT) {
      const day = new Date(Date.parse(today) + n * DAY_MS).toISOString().slice(0, 10);
      told += await this.each(
        (last) => this.ending.all(day, last),
        ({ id, username }) =>
          this.notices.tell({
            to: { account: username },
            kind: 'expire',
            level: 'warning',
            key: `expire:${id}:${day}:${n}`,
            title: { key: 'hosting.reminder_expiry' },
            text:
              n === 0
                ? { key: 'hosting.reminder_expires_today', params: { day } }
                : { key: 'hosting.reminder_expires', params: { n, day } },
            link: '/user/',
          }),
        turn,
      );
    }
    return told;
  }

  /** At 80 % of the month's traffic and where it is used up, each once a month and for each size of the limit. @returns how many were told */
  @Job({ name: 'traffic-reminders', everyMinutes: 10 })
  ofTraffic(turn?: JobTurn): Promise<number> {
    const month = legacyDay(this.clock.now(), this.config.timezone).slice(0, 7);
    return this.each(
      (last) => this.busy.all(last),
      ({ id, username, percent, quota }) => {
        const isOver = Number(percent) >= 100;
        return this.notices.tell({
          to: { account: username },
          kind: 'traffic',
          level: isOver ? 'danger' : 'warning',
          key: `traffic:${id}:${month}:${quota}:${isOver ? 100 : TRAFFIC_PERCENT}`,
          title: { key: isOver ? 'hosting.reminder_traffic_over' : 'hosting.reminder_traffic' },
          text: {
            key: isOver ? 'hosting.reminder_traffic_over_text' : 'hosting.reminder_traffic_used',
            params: { percent: Number(percent) },
          },
          link: '/user/',
        });
      },
      turn,
    );
  }

  private async each<Row extends { id: number }>(
    next: (last: number) => Promise<Row[]>,
    tell: (row: Row) => Promise<number>,
    turn?: JobTurn,
  ): Promise<number> {
    let told = 0;
    for (let last = 0; ;) {
      turn?.signal.throwIfAborted();
      const rows = await next(last);
      for (const row of rows) told += await tell(row);
      if (rows.length < BATCH) return told;
      last = rows.at(-1)!.id;
    }
  }
}

/** The reminders, apart from the rest of hosting, which works without notices. */
@Module({ providers: [Reminders] })
export class RemindersModule {}
