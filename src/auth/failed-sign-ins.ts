import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../common/index.js';
import { Database, fromSqlTime } from '../database/index.js';
import { Job } from '../jobs/index.js';

import { addressForLimits } from './client-address.js';
import type { SignInSide, TriedSide } from './sign-in-side.js';

/** Maximum networks counted separately per account; further ones are counted together. */
const MAX_NETWORKS = 200;
/** Maximum networks shown to owners, newest first. */
const LISTED = 50;
const KEPT_DAYS = 90;

/** Wrong passwords from one network, as shown to the account's owner. */
export interface FailuresOfNetwork {
  /** Empty for networks beyond the first {@link MAX_NETWORKS}. */
  readonly network: string;
  readonly failures: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly seen: boolean;
}

/** Failures the owner has not seen yet. */
export interface UnseenFailures {
  readonly failures: number;
  readonly networks: number;
  readonly since: Date;
}

/** Records failed sign-ins for the account's owner. */
@Injectable()
export class FailedSignIns {
  private readonly again;
  private readonly countNetworks;
  private readonly insert;
  private readonly sum;
  private readonly select;
  private readonly markSeen;
  private readonly sweep;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    const own = '{FailedSignIn.side} = ? AND {FailedSignIn.accountId} = ?';
    // `seen` last: MySQL assigns from left to right, and the others use its old value.
    const next = `{FailedSignIn.failures} = CASE WHEN {FailedSignIn.seen} = 1 THEN 1 ELSE {FailedSignIn.failures} + 1 END,
       {FailedSignIn.firstAt} = CASE WHEN {FailedSignIn.seen} = 1 THEN ? ELSE {FailedSignIn.firstAt} END,
       {FailedSignIn.lastAt} = ?, {FailedSignIn.seen} = 0`;
    this.again = database.statement(`UPDATE {FailedSignIn} SET ${next} WHERE ${own} AND {FailedSignIn.network} = ?`);
    this.countNetworks = database.statement<{ networks: number }>(`SELECT COUNT(*) AS networks FROM {FailedSignIn} WHERE ${own}`);
    this.insert = database.statement(
      `INSERT INTO {FailedSignIn} ({FailedSignIn.side}, {FailedSignIn.accountId}, {FailedSignIn.network}, {FailedSignIn.failures},
        {FailedSignIn.firstAt}, {FailedSignIn.lastAt}, {FailedSignIn.seen})
       VALUES (?, ?, ?, 1, ?, ?, 0) ${database.onConflict('side', 'account_id', 'network')} ${next}`,
    );
    this.sum = database.statement<{ failures: number | null; networks: number; since: string | null }>(
      `SELECT SUM({FailedSignIn.failures}) AS failures, COUNT(*) AS networks, MIN({FailedSignIn.firstAt}) AS since FROM {FailedSignIn}
        WHERE ${own} AND {FailedSignIn.seen} = 0`,
    );
    this.select = database.statement<{ network: string; failures: number; firstAt: string; lastAt: string; seen: number }>(
      `SELECT {FailedSignIn.network} AS network, {FailedSignIn.failures} AS failures, {FailedSignIn.firstAt} AS firstAt,
        {FailedSignIn.lastAt} AS lastAt, {FailedSignIn.seen} AS seen
       FROM {FailedSignIn} WHERE ${own} ORDER BY {FailedSignIn.lastAt} DESC, {FailedSignIn.id} DESC LIMIT ${LISTED}`,
    );
    this.markSeen = database.statement(`UPDATE {FailedSignIn} SET {FailedSignIn.seen} = 1 WHERE ${own} AND {FailedSignIn.seen} = 0`);
    this.sweep = database.statement('DELETE FROM {FailedSignIn} WHERE {FailedSignIn.lastAt} <= ?');
  }

  /** Records a wrong password. @param accountId null for an unknown name: nothing is recorded then */
  async note(side: TriedSide, accountId: number | null, ip: string): Promise<void> {
    const now = this.clock.now();
    const network = addressForLimits(ip).slice(0, 64);
    // Does the same work for an unknown name.
    const { affected } = await this.again.run(now, now, side, accountId ?? 0, network);
    if (affected > 0) return;
    const known = Number((await this.countNetworks.get(side, accountId ?? 0))?.networks ?? 0);
    if (accountId !== null) await this.insert.run(side, accountId, known < MAX_NETWORKS ? network : '', now, now, now, now);
  }

  /** Returns the failures the owner has not seen; null if none. */
  async unseen(side: SignInSide, accountId: number): Promise<UnseenFailures | null> {
    const row = await this.sum.get(side, accountId);
    if (!row?.since) return null;
    return { failures: Number(row.failures), networks: Number(row.networks), since: fromSqlTime(row.since) };
  }

  /** Returns the last {@link LISTED} networks with failures, seen or not, newest first. */
  async list(side: SignInSide, accountId: number): Promise<FailuresOfNetwork[]> {
    const rows = await this.select.all(side, accountId);
    return rows.map(({ network, failures, firstAt, lastAt, seen }) => ({
      network,
      failures: Number(failures),
      firstAt: fromSqlTime(firstAt),
      lastAt: fromSqlTime(lastAt),
      seen: Boolean(seen),
    }));
  }

  /** Marks all failures as seen. */
  async seen(side: SignInSide, accountId: number): Promise<void> {
    await this.markSeen.run(side, accountId);
  }

  /** Removes failures older than {@link KEPT_DAYS} days; run by the cron tick. */
  @Job({ name: 'failed-sign-ins', everyMinutes: 15 })
  async removeOld(): Promise<void> {
    await this.sweep.run(new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS));
  }
}
