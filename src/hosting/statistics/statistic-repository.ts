import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteStatistic, type StatisticUnit } from '../entities/index.js';

import { COUNTS, type CountName, LIST_NAMES, type ListName, type Tally, TallyCounter, mergeTallies } from './tally.js';
import { EMPTY_LIST, type TopList } from './top-list.js';
import { VisitorSketch } from './visitor-sketch.js';

/** Length of the time keys of each unit, in characters. */
const LENGTHS = { h: 13, d: 10, m: 7 } as const;

/** The counts of a period. */
export interface Counted {
  readonly at: string;
  readonly counts: Readonly<Record<CountName, number>>;
  readonly visitors: number;
}

/** A row with its parsed content. */
interface Row {
  readonly counted: Counted;
  readonly tally: Tally;
}

/** Rows of the visitor statistics of sites. */
@Injectable()
export class StatisticRepository {
  private readonly present;
  private readonly position;
  private readonly begin;
  private readonly move;
  private readonly find;
  private readonly put;

  constructor(private readonly database: Database) {
    this.present = database.statement('SELECT 1 AS found FROM {HostingAccount} WHERE {HostingAccount.id} = ?');
    this.position = database.statement<{ position: string }>(
      'SELECT {SiteLogCursor.position} AS position FROM {SiteLogCursor} WHERE {SiteLogCursor.accountId} = ?',
    );
    this.begin = database.statement(
      `${database.insertIgnore} {SiteLogCursor} ({SiteLogCursor.accountId}, {SiteLogCursor.position}) VALUES (?, '')`,
    );
    this.move = database.statement(
      'UPDATE {SiteLogCursor} SET {SiteLogCursor.position} = ? WHERE {SiteLogCursor.accountId} = ? AND {SiteLogCursor.position} = ?',
    );
    this.find = database.statement<{ detail: string }>(
      `SELECT {SiteStatistic.detail} AS detail FROM {SiteStatistic}
       WHERE {SiteStatistic.accountId} = ? AND {SiteStatistic.unit} = ? AND {SiteStatistic.at} = ?`,
    );
    const columns = [...COUNTS.map((name) => `{SiteStatistic.${name}}`)];
    this.put = database.statement(
      `INSERT INTO {SiteStatistic} ({SiteStatistic.accountId}, {SiteStatistic.unit}, {SiteStatistic.at}, ${columns.join(', ')},
        {SiteStatistic.visitors}, {SiteStatistic.detail})
       VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')}, ?, ?)
       ${database.onConflict('zj_id', 'unit', 'moment')} ${columns.map((column) => `${column} = ${column} + ?`).join(', ')},
         {SiteStatistic.visitors} = ?, {SiteStatistic.detail} = ?`,
    );
  }

  /** Returns how far the log of a site is counted; empty if counting has not started. */
  async positionOf(accountId: number): Promise<string> {
    return (await this.position.get(accountId))?.position ?? '';
  }

  /**
   * Adds the counts of a part of a log, in one transaction.
   *
   * @param from position where it starts
   * @param to position where it ends
   * @returns whether it was counted here; false if another process did, or the account is gone
   */
  add(accountId: number, from: string, to: string, counted: TallyCounter): Promise<boolean> {
    return this.database.transaction(async () => {
      if ((await this.present.get(accountId)) === undefined) return false;
      await this.begin.run(accountId);
      // The update locks the cursor row until the commit, so that no other process changes the statistics below.
      if (from === to || (await this.move.run(to, accountId, from)).affected === 0) return false;
      for (const unit of ['h', 'd', 'm'] as const) {
        for (const [at, tally] of counted.by(LENGTHS[unit])) await this.addTo(accountId, unit, at, tally);
      }
      return true;
    });
  }

  /** Returns the rows of an account between two times, both included, oldest first. */
  async between(
    accountId: number,
    unit: StatisticUnit,
    from: string,
    to: string,
  ): Promise<{ readonly all: Tally; readonly times: readonly Counted[] }> {
    const found = await this.database
      .repository(SiteStatistic)
      .createQueryBuilder('stat')
      .where('stat.accountId = :accountId AND stat.unit = :unit AND stat.at >= :from AND stat.at <= :to', { accountId, unit, from, to })
      .orderBy('stat.at')
      .getMany();
    const rows = found.map(rowOf);
    return { all: mergeTallies(rows.map(({ tally }) => tally)), times: rows.map(({ counted }) => counted) };
  }

  /**
   * Removes the statistics of an account; the log position is kept, so that old lines are not counted again.
   *
   * @returns number of rows removed
   */
  async forget(accountId: number): Promise<number> {
    const { affected } = await this.database.repository(SiteStatistic).delete({ accountId });
    return affected ?? 0;
  }

  private async addTo(accountId: number, unit: StatisticUnit, at: string, added: Tally): Promise<void> {
    const before = readDetail((await this.find.get(accountId, unit, at))?.detail ?? '');
    const visitors = VisitorSketch.joined([before.visitors, added.visitors]);
    const { lists } = mergeTallies([{ ...added, lists: before.lists }, added]);
    const detail = JSON.stringify({ visitors: visitors.stored, lists });
    const counts = COUNTS.map((name) => added.counts[name]);
    await this.put.run(accountId, unit, at, ...counts, visitors.count, detail, ...counts, visitors.count, detail);
  }
}

function rowOf(row: SiteStatistic): Row {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, row[name]])) as Record<CountName, number>;
  return { counted: { at: row.at, counts, visitors: row.visitors }, tally: { counts, ...readDetail(row.detail) } };
}

/** Names in the lists are untrusted, so they are only looked up in objects without a prototype. */
function readDetail(text: string): Pick<Tally, 'visitors' | 'lists'> {
  const read = text === '' ? null : (JSON.parse(text) as { visitors: string; lists: Partial<Record<ListName, TopList>> });
  return {
    visitors: VisitorSketch.read(read?.visitors ?? ''),
    lists: Object.fromEntries(LIST_NAMES.map((name) => [name, read?.lists[name] ?? EMPTY_LIST])) as Record<ListName, TopList>,
  };
}
