import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { PAUSE_REASON } from '../accounts/index.js';
import { HISTORY_MONTHS, TrafficRepository } from '../traffic/index.js';

import { AccountSweep, type SweptAccount } from './account-sweep.js';
import { UsageSweep } from './usage-sweep.js';

const BATCH = 200;

/** Starts a new traffic month: resets the counters, and resumes accounts that were paused for their traffic. */
@Injectable()
export class TrafficMonth {
  private readonly find;
  private readonly begin;
  private readonly forget;

  constructor(
    database: Database,
    private readonly repository: TrafficRepository,
    private readonly usage: UsageSweep,
  ) {
    this.find = database.statement<SweptAccount & { paused: number }>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.nodeCode} AS nodeCode,
         CASE WHEN {HostingAccount.pauseReasons} LIKE '%"${PAUSE_REASON.quota}"%' THEN 1 ELSE 0 END AS paused
       FROM {HostingAccount} WHERE {HostingAccount.trafficMonth} > ? AND {HostingAccount.trafficMonth} < ?
       ORDER BY {HostingAccount.trafficMonth}, {HostingAccount.id} LIMIT ${BATCH}`,
    );
    this.begin = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.trafficUsedBytes} = 0, {HostingAccount.trafficMonth} = ?
       WHERE {HostingAccount.id} = ? AND {HostingAccount.trafficMonth} < ?`,
    );
    this.forget = database.statement('DELETE FROM {SiteTraffic} WHERE {SiteTraffic.month} < ?');
  }

  /** May run in several processes at the same time. @returns number of accounts reset */
  @Job({ name: 'traffic-month', everyMinutes: 1 })
  async run(turn?: JobTurn): Promise<number> {
    const { month } = this.repository;
    const sweep = new AccountSweep('traffic-month');
    let begun = 0;
    for (;;) {
      turn?.signal.throwIfAborted();
      const found = await this.find.all('', month);
      for (const { id } of found) begun += (await this.begin.run(month, id, month)).affected;
      await sweep.each(
        found.filter(({ paused }) => Number(paused) === 1),
        async ({ id }) => void (await this.usage.measure(id)),
      );
      if (found.length < BATCH) break;
    }
    if (begun > 0) await this.forget.run(monthBefore(month, HISTORY_MONTHS));
    return begun;
  }
}

/** Returns the month `count` months earlier, `YYYY-MM`. */
function monthBefore(month: string, count: number): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - count);
  return at.toISOString().slice(0, 7);
}
