import { Injectable } from '@nestjs/common';

import { legacyDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { PAUSE_REASON } from '../accounts/index.js';
import { DriverRegistry } from '../driver/index.js';
import { type AccountState, HostExpiry, HostingNode } from '../entities/index.js';
import type { ExpiringHost } from '../expiry-plan.js';

/** A host that expires soon or has expired. */
export interface EndingHost extends ExpiringHost {
  readonly id: number;
  readonly username: string;
  readonly nodeCode: string;
  readonly expiresOn: string;
}

/** The row after which a batch starts. */
export interface ExpiryCursor {
  readonly expiresOn: string;
  readonly id: number;
}

export const FIRST_EXPIRY: ExpiryCursor = { expiresOn: '1970-01-01', id: 0 };

type Raw = Record<string, unknown>;

const ORDERS = "{Order} WHERE {Order.ownerKind} = 'account' AND {Order.ownerId} = h.{HostingAccount.id}";
const COLUMNS = `h.{HostingAccount.id} AS id, h.{HostingAccount.username} AS username, h.{HostingAccount.nodeCode} AS nodeCode,
  h.{HostingAccount.state} AS state, h.{HostingAccount.pauseReasons} AS pauseReasons, h.{HostingAccount.expiresOn} AS expiresOn,
  h.{HostingAccount.graceDays} AS graceDays, h.{HostingAccount.holdUntil} AS holdUntil, h.{HostingAccount.keepDays} AS keepDays,
  h.{HostingAccount.createdAt} AS createdAt, e.{HostExpiry.remindedFor} AS remindedFor, e.{HostExpiry.remindedStep} AS remindedStep,
  e.{HostExpiry.toldFor} AS toldFor, e.{HostExpiry.toldAt} AS toldAt, e.{HostExpiry.deletesOn} AS deletesOn,
  e.{HostExpiry.exempt} AS exempt,
  CASE WHEN h.{HostingAccount.expiresOn} < ? THEN (SELECT MAX({Order.paidAt}) FROM ${ORDERS} AND {Order.status} = 'paid') END AS paidAt,
  CASE WHEN h.{HostingAccount.expiresOn} < ? THEN EXISTS (SELECT 1 FROM ${ORDERS} AND {Order.status} = 'unpaid') END AS hasOpenOrder`;
const JOINED = '{HostingAccount} h LEFT JOIN {HostExpiry} e ON e.{HostExpiry.hostId} = h.{HostingAccount.id}';
const NEXT = `h.{HostingAccount.expiresOn} >= ? AND (h.{HostingAccount.expiresOn} > ? OR h.{HostingAccount.id} > ?)`;
const IN_ORDER = 'ORDER BY h.{HostingAccount.expiresOn}, h.{HostingAccount.id} LIMIT ?';
/** Written as NOT IN so that the database uses the index of last days, not the one of states, which most hosts share. */
const notIn = (...states: AccountState[]): string => `h.{HostingAccount.state} NOT IN (${states.map((state) => `'${state}'`).join(', ')})`;
const PAUSED = `h.{HostingAccount.pauseReasons} LIKE '%"${PAUSE_REASON.expiry}"%'`;
const DELETABLE = '(h.{HostingAccount.keepDays} > 0 OR (h.{HostingAccount.keepDays} IS NULL AND ? > 0))';
const COMING = `h.{HostingAccount.expiresOn} <= ? AND ${notIn('provisioning', 'terminating', 'failed')}
  AND (h.{HostingAccount.pauseReasons} NOT LIKE '%"${PAUSE_REASON.expiry}"%' OR ${DELETABLE})`;

/** Reads hosts that expire soon or have expired, and the notices sent to their owners. Each claim is one conditional update. */
@Injectable()
export class ExpiryRepository {
  private readonly ending;
  private readonly over;
  private readonly coming;
  private readonly counted;
  private readonly one;
  private readonly insert;
  private readonly remindRow;
  private readonly announceRow;
  private readonly removeOld;

  constructor(
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly clock: ZonedClock,
  ) {
    this.ending = database.statement<Raw>(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${NEXT} AND h.{HostingAccount.expiresOn} <= ?
       AND ${notIn('provisioning', 'paused', 'terminating', 'failed')} ${IN_ORDER}`,
    );
    this.over = database.statement<Raw>(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE ${NEXT} AND h.{HostingAccount.expiresOn} < ?
       AND ${notIn('provisioning', 'active', 'terminating', 'failed')} AND ${PAUSED} AND ${DELETABLE} ${IN_ORDER}`,
    );
    this.coming = database.statement<Raw>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE ${NEXT} AND ${COMING} ${IN_ORDER}`);
    this.counted = database.statement<{ n: number }>(`SELECT COUNT(*) AS n FROM {HostingAccount} h WHERE ${COMING}`);
    this.one = database.statement<Raw>(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE h.{HostingAccount.id} = ? AND h.{HostingAccount.expiresOn} IS NOT NULL`,
    );
    this.insert = database.statement(`${database.insertIgnore} {HostExpiry} ({HostExpiry.hostId}, {HostExpiry.exempt}) VALUES (?, ?)`);
    const still = (state: string) => `EXISTS (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.id} = ?
      AND {HostingAccount.expiresOn} = ? AND {HostingAccount.state} = '${state}')`;
    this.remindRow = database.statement(
      `UPDATE {HostExpiry} SET {HostExpiry.remindedFor} = ?, {HostExpiry.remindedStep} = ? WHERE {HostExpiry.hostId} = ?
       AND ({HostExpiry.remindedFor} IS NULL OR {HostExpiry.remindedFor} <> ? OR {HostExpiry.remindedStep} > ?) AND ${still('active')}`,
    );
    this.announceRow = database.statement(
      `UPDATE {HostExpiry} SET {HostExpiry.toldFor} = ?, {HostExpiry.toldAt} = ?, {HostExpiry.deletesOn} = ? WHERE {HostExpiry.hostId} = ?
       AND {HostExpiry.exempt} = 0 AND ({HostExpiry.toldFor} IS NULL OR {HostExpiry.toldFor} <> ? OR {HostExpiry.toldAt} > ?)
       AND ${still('paused')}`,
    );
    this.removeOld = database.statement(
      'DELETE FROM {HostExpiry} WHERE {HostExpiry.hostId} NOT IN (SELECT {HostingAccount.id} FROM {HostingAccount})',
    );
  }

  /** Returns hosts in service whose last day is not after `until`, by last day. */
  async endingBy(until: string, last: ExpiryCursor, limit: number): Promise<EndingHost[]> {
    return this.read(await this.ending.all(...this.days(), ...ahead(last), until, limit));
  }

  /** Returns hosts paused for expiry that may be deleted. @param keepDays default of the settings */
  async overBefore(today: string, keepDays: number, last: ExpiryCursor, limit: number): Promise<EndingHost[]> {
    return this.read(await this.over.all(...this.days(), ...ahead(last), today, keepDays, limit));
  }

  /** Returns both of the above, and hosts due to be paused. */
  async comingBy(until: string, keepDays: number, last: ExpiryCursor, limit: number): Promise<EndingHost[]> {
    return this.read(await this.coming.all(...this.days(), ...ahead(last), until, keepDays, limit));
  }

  /** Counts the hosts of {@link comingBy}. */
  async countBy(until: string, keepDays: number): Promise<number> {
    return Number((await this.counted.get(until, keepDays))!.n);
  }

  /** Returns a host that has a last day. */
  async find(id: number): Promise<EndingHost | null> {
    const row = await this.one.get(...this.days(), id);
    return row ? ((await this.read([row]))[0] ?? null) : null;
  }

  /** Records a reminder in the caller's transaction; false if it was already sent, or the host changed in the meantime. */
  async remind({ id, expiresOn }: EndingHost, step: number): Promise<boolean> {
    await this.insert.run(id, false);
    return (await this.remindRow.run(expiresOn, step, id, expiresOn, step, id, expiresOn)).affected > 0;
  }

  /**
   * Records the announcement of the deletion in the caller's transaction; false if it was already made, or the host changed in the
   * meantime.
   */
  async announce({ id, expiresOn }: EndingHost, deletesOn: string): Promise<boolean> {
    const now = this.clock.now();
    await this.insert.run(id, false);
    return (await this.announceRow.run(expiresOn, now, deletesOn, id, expiresOn, now, id, expiresOn)).affected > 0;
  }

  /** Exempts a host from deletion, or ends the exemption: then the deletion is announced again before it happens. */
  async setExempt(id: number, exempt: boolean): Promise<void> {
    const rows = this.database.repository(HostExpiry);
    await this.database.transaction(async () => {
      await this.insert.run(id, false);
      const before = await rows.findOneByOrFail({ hostId: id });
      await rows.update({ hostId: id }, { exempt, ...(exempt ? {} : { toldFor: null, toldAt: null, deletesOn: null }) });
      this.database.noteChange({ of: 'host', id }, { expiryExempt: before.exempt }, { expiryExempt: exempt });
    });
  }

  /** Removes rows of deleted hosts. */
  async clear(): Promise<void> {
    await this.removeOld.run();
  }

  private days(): [string, string] {
    const today = this.clock.today();
    return [today, today];
  }

  private async read(rows: readonly Raw[]): Promise<EndingHost[]> {
    if (rows.length === 0) return [];
    const nodes = await this.database.repository(HostingNode).find();
    const keeps = new Map(nodes.map((node) => [node.code, this.drivers.keeps(node)]));
    return rows.map((row) => this.host(row, keeps.get(String(row.nodeCode)) ?? false));
  }

  private host(row: Raw, keeps: boolean): EndingHost {
    const day = (value: unknown): string | null => {
      const moment = fromSqlTime(value as string | null);
      return moment && legacyDay(moment, this.clock.timezone);
    };
    const toldAt = fromSqlTime(row.toldAt as string | null);
    // A time in the future was recorded while the clock was wrong: ignore the announcement.
    const isAnnounced = toldAt !== null && toldAt <= this.clock.now();
    return {
      id: Number(row.id),
      username: String(row.username),
      nodeCode: String(row.nodeCode),
      state: String(row.state),
      pauseReasons: JSON.parse(String(row.pauseReasons)) as string[],
      expiresOn: String(row.expiresOn),
      graceDays: Number(row.graceDays),
      holdUntil: row.holdUntil as string | null,
      keepDays: row.keepDays === null ? null : Number(row.keepDays),
      openedOn: day(row.createdAt)!,
      exempt: Boolean(row.exempt),
      keeps,
      paidOn: day(row.paidAt),
      hasOpenOrder: Number(row.hasOpenOrder) > 0,
      sentNotices: {
        remindedFor: (row.remindedFor as string | null) ?? null,
        remindedStep: row.remindedStep === null || row.remindedStep === undefined ? null : Number(row.remindedStep),
        toldFor: isAnnounced ? (row.toldFor as string) : null,
        deletesOn: isAnnounced ? (row.deletesOn as string) : null,
      },
    };
  }
}

const ahead = ({ expiresOn, id }: ExpiryCursor): [string, string, number] => [expiresOn, expiresOn, id];
