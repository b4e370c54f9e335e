import { Injectable } from '@nestjs/common';

import { DAY_MS, legacyDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database, fromSqlTime, type SqlValue } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import type { IdleSign } from '../driver/index.js';
import type { HostingAccount, IdleAction, IdleHost } from '../entities/index.js';

import type { IdleCandidate } from './idle-plan.js';

/**
 * Maximum hosts paused within 24 hours, so that a wrong setting does not stop a whole installation. Deletions have their own limit
 * (`DeletionCap`).
 */
export const PAUSES_A_DAY = 20;
/** How long completed actions are recorded, in milliseconds: 90 days. */
const REMEMBERED_MS = 90 * DAY_MS;

/** A host with its idle record. */
export interface ObservedHost extends IdleCandidate {
  readonly id: number;
  readonly username: string;
  readonly nodeCode: string;
  /** Null: never seen unused, and not exempt. */
  readonly idle: IdleHost | null;
}

/** An idle record whose action was announced to the owner. */
export interface AnnouncedHost extends IdleHost {
  readonly action: IdleAction;
  readonly announcedAt: Date;
  readonly dueOn: string;
}

type Raw = Record<string, unknown>;

const HOST_COLUMNS = `h.{HostingAccount.id} AS id, h.{HostingAccount.username} AS username, h.{HostingAccount.nodeCode} AS nodeCode,
  h.{HostingAccount.state} AS state, h.{HostingAccount.pauseReasons} AS pauseReasons, h.{HostingAccount.expiresOn} AS expiresOn,
  h.{HostingAccount.holdUntil} AS holdUntil,
  h.{HostingAccount.openedBy} AS openedBy, h.{HostingAccount.email} AS email, h.{HostingAccount.createdAt} AS createdAt,
  EXISTS (SELECT 1 FROM {Order} WHERE {Order.ownerKind} = 'account' AND {Order.ownerId} = h.{HostingAccount.id}
    AND {Order.paidAt} IS NOT NULL) AS hasPaid`;
const IDLE_COLUMNS = `i.{IdleHost.hostId} AS hostId, i.{IdleHost.username} AS lastName, i.{IdleHost.sign} AS sign,
  i.{IdleHost.seenAt} AS seenAt,
  i.{IdleHost.keptAt} AS keptAt, i.{IdleHost.exempt} AS exempt, i.{IdleHost.action} AS action, i.{IdleHost.announcedAt} AS announcedAt,
  i.{IdleHost.dueOn} AS dueOn, i.{IdleHost.remindedOn} AS remindedOn, i.{IdleHost.done} AS done, i.{IdleHost.doneAt} AS doneAt`;
const JOINED = '{HostingAccount} h LEFT JOIN {IdleHost} i ON i.{IdleHost.hostId} = h.{HostingAccount.id}';

/** Rows of unused hosts. Each decision is one conditional update. */
@Injectable()
export class IdleRepository {
  private readonly next;
  private readonly one;
  private readonly update;
  private readonly insert;
  private readonly announceRow;
  private readonly take;
  private readonly giveBackRow;
  private readonly recent;
  private readonly removeOld;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly settings: SiteSettings,
  ) {
    this.next = database.statement<Raw>(
      `SELECT ${HOST_COLUMNS}, ${IDLE_COLUMNS} FROM ${JOINED} WHERE h.{HostingAccount.id} > ?
       AND h.{HostingAccount.state} IN ('active', 'paused') ORDER BY h.{HostingAccount.id} LIMIT ?`,
    );
    this.one = database.statement<Raw>(`SELECT ${HOST_COLUMNS}, ${IDLE_COLUMNS} FROM ${JOINED} WHERE h.{HostingAccount.id} = ?`);
    this.update = database.statement(
      'UPDATE {IdleHost} SET {IdleHost.sign} = ?, {IdleHost.seenAt} = ?, {IdleHost.username} = ? WHERE {IdleHost.hostId} = ?',
    );
    this.insert = database.statement(
      `${database.insertIgnore} {IdleHost} ({IdleHost.hostId}, {IdleHost.username}, {IdleHost.sign}, {IdleHost.seenAt}, {IdleHost.keptAt},
       {IdleHost.exempt}, {IdleHost.action}, {IdleHost.done}) VALUES (?, ?, ?, ?, ?, ?, '', '')`,
    );
    this.announceRow = database.statement(
      `UPDATE {IdleHost} SET {IdleHost.action} = ?, {IdleHost.dueOn} = ?, {IdleHost.announcedAt} = ?, {IdleHost.remindedOn} = ?
       WHERE {IdleHost.hostId} = ? AND {IdleHost.exempt} = 0 AND {IdleHost.announcedAt} IS NULL`,
    );
    this.take = database.statement(
      `UPDATE {IdleHost} SET {IdleHost.done} = ?, {IdleHost.doneAt} = ?, {IdleHost.announcedAt} = NULL
       WHERE {IdleHost.hostId} = ? AND {IdleHost.exempt} = 0 AND {IdleHost.action} = ? AND {IdleHost.announcedAt} = ?`,
    );
    this.giveBackRow = database.statement(
      `UPDATE {IdleHost} SET {IdleHost.done} = ?, {IdleHost.doneAt} = ?, {IdleHost.announcedAt} = ?
       WHERE {IdleHost.hostId} = ? AND {IdleHost.doneAt} = ? AND {IdleHost.action} = ?`,
    );
    this.recent = database.statement<{ n: number }>(
      "SELECT COUNT(*) AS n FROM {IdleHost} WHERE {IdleHost.doneAt} > ? AND {IdleHost.done} = 'stop'",
    );
    this.removeOld = database.statement(
      `DELETE FROM {IdleHost} WHERE ({IdleHost.doneAt} IS NULL OR {IdleHost.doneAt} < ?)
       AND {IdleHost.hostId} NOT IN (SELECT {HostingAccount.id} FROM {HostingAccount})`,
    );
  }

  private get rows() {
    return this.database.repository<IdleHost>('IdleHost');
  }

  /** Returns hosts ordered by id, starting after `last`. */
  async after(last: number, limit: number): Promise<ObservedHost[]> {
    return (await this.next.all(last, limit)).map((row) => this.read(row));
  }

  async find(hostId: number): Promise<ObservedHost | null> {
    const row = await this.one.get(hostId);
    return row ? this.read(row) : null;
  }

  /** Returns a page of rows, the newest hosts first, including deleted hosts. @param servers ids of servers; null: all */
  async page(
    query: { page: number; limit: number; sortOrder: 'asc' | 'desc' },
    servers: readonly number[] | null,
  ): Promise<{ total: number; rows: { host: ObservedHost | null; idle: IdleHost }[] }> {
    const from = '{IdleHost} i LEFT JOIN {HostingAccount} h ON h.{HostingAccount.id} = i.{IdleHost.hostId}';
    const shown =
      "((i.{IdleHost.sign} <> '' OR i.{IdleHost.exempt} = 1) AND h.{HostingAccount.id} IS NOT NULL OR i.{IdleHost.done} = 'del')";
    const places = servers?.map(() => '?').join(', ') || 'NULL';
    const scope = servers
      ? `AND h.{HostingAccount.nodeCode} IN (SELECT {HostingNode.code} FROM {HostingNode} WHERE {HostingNode.id} IN (${places}))`
      : '';
    const params: SqlValue[] = [...(servers ?? [])];
    const order = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const [counted, found] = await Promise.all([
      this.database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM ${from} WHERE ${shown} ${scope}`).get(...params),
      this.database
        .statement<Raw>(
          `SELECT ${HOST_COLUMNS}, ${IDLE_COLUMNS} FROM ${from} WHERE ${shown} ${scope} ORDER BY i.{IdleHost.hostId} ${order}
            LIMIT ? OFFSET ?`,
        )
        .all(...params, query.limit, (query.page - 1) * query.limit),
    ]);
    const rows = found.map((row) => ({ host: row.id === null ? null : this.read(row), idle: idleOf(row)! }));
    return { total: Number(counted!.total), rows };
  }

  /** Records that a host is unused. */
  async see(host: ObservedHost, sign: IdleSign): Promise<void> {
    const now = this.clock.now();
    if ((await this.update.run(sign, now, host.username, host.id)).affected) return;
    await this.insert.run(host.id, host.username, sign, now, null, false);
  }

  /** Clears the record of a host that is used again; only its exemption is kept. */
  async forget(hostId: number): Promise<void> {
    await this.rows.delete({ hostId, exempt: false });
    await this.rows.update({ hostId }, { sign: '', seenAt: null, action: '', announcedAt: null, dueOn: null, remindedOn: null });
  }

  /** Withdraws an announcement, so that it has to be made again before any action. Without an id: of all hosts. */
  async withdraw(hostId?: number): Promise<void> {
    const values = { action: '' as const, announcedAt: null, dueOn: null };
    if (hostId !== undefined) await this.rows.update({ hostId }, values);
    else await this.rows.createQueryBuilder().update().set(values).where('announced_at IS NOT NULL').execute();
  }

  /** Records an announcement in the caller's transaction; false if it was already made, or the host became exempt. */
  async announce(hostId: number, action: IdleAction, dueOn: string, today: string): Promise<boolean> {
    return (await this.announceRow.run(action, dueOn, this.clock.now(), today, hostId)).affected > 0;
  }

  /** Records a reminder in the caller's transaction; false if one was already sent today. */
  async remind(hostId: number, today: string): Promise<boolean> {
    const { affected } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ remindedOn: today })
      .where('host_id = :hostId AND exempt = :off AND (reminded_on IS NULL OR reminded_on <> :today)', { hostId, off: false, today })
      .execute();
    return (affected ?? 0) > 0;
  }

  /**
   * Marks the announced action as done before it is taken, so that no other process takes it; `also` joins the transaction.
   *
   * @returns the time, for {@link giveBack}; `taken` if another process took it, or it was withdrawn; `full` if the limit of pauses within
   * a day is reached
   */
  takeAction(idle: IdleHost, also: () => Promise<void>): Promise<Date | 'taken' | 'full'> {
    return this.database.transaction(async () => {
      // Serializes the transactions, so that the last slot of the day is used only once.
      await this.settings.hold();
      const now = this.clock.now();
      const paused = idle.action === 'stop' ? await this.recent.get(new Date(now.getTime() - DAY_MS)) : null;
      if (paused && Number(paused.n) >= PAUSES_A_DAY) return 'full';
      if (!(await this.take.run(idle.action, now, idle.hostId, idle.action, idle.announcedAt)).affected) return 'taken';
      await also();
      return now;
    });
  }

  /** Restores the announcement of an action that was not taken after all. */
  async giveBack(idle: IdleHost, takenAt: Date): Promise<void> {
    await this.giveBackRow.run(idle.done, idle.doneAt, idle.announcedAt, idle.hostId, takenAt, idle.action);
  }

  /** The owner confirmed the host is needed: restarts the day count and withdraws the announcement. */
  async keep(hostId: number): Promise<void> {
    await this.rows.update({ hostId }, { keptAt: this.clock.now(), action: '', announcedAt: null, dueOn: null });
  }

  /** Exempts a host from the check, or ends the exemption. */
  async setExempt(host: { id: number; username: string }, exempt: boolean): Promise<void> {
    const withdrawn = { action: '' as const, announcedAt: null, dueOn: null };
    await this.database.transaction(async () => {
      const before = await this.rows.findOneBy({ hostId: host.id });
      await this.insert.run(host.id, host.username, '', null, null, exempt);
      await this.rows.update({ hostId: host.id }, exempt ? { exempt, ...withdrawn } : { exempt, keptAt: this.clock.now() });
      this.database.noteChange({ of: 'host', id: host.id }, { idleExempt: before?.exempt ?? false }, { idleExempt: exempt });
    });
  }

  /** Returns the actions taken since a time, by host. */
  doneSince(since: Date): Promise<{ username: string; done: string }[]> {
    return this.database
      .statement<{ username: string; done: string }>(
        `SELECT {IdleHost.username} AS username, {IdleHost.done} AS done FROM {IdleHost} WHERE {IdleHost.doneAt} >= ?
          ORDER BY {IdleHost.hostId}`,
      )
      .all(since);
  }

  /** Removes rows of deleted hosts; those deleted by an idle action, after 90 days. */
  async clear(): Promise<void> {
    await this.removeOld.run(new Date(this.clock.now().getTime() - REMEMBERED_MS));
  }

  private read(row: Raw): ObservedHost {
    const day = (moment: Date | null): string | null => moment && legacyDay(moment, this.clock.timezone);
    const idle = idleOf(row);
    return {
      id: Number(row.id),
      username: String(row.username),
      nodeCode: String(row.nodeCode),
      state: row.state as HostingAccount['state'],
      pauseReasons: JSON.parse(String(row.pauseReasons)) as string[],
      expiresOn: row.expiresOn as string | null,
      holdUntil: row.holdUntil as string | null,
      openedBy: String(row.openedBy),
      email: row.email as string | null,
      hasPaid: Number(row.hasPaid) > 0,
      openedOn: day(fromSqlTime(row.createdAt as string))!,
      keptOn: day(idle?.keptAt ?? null),
      doneOn: day(idle?.doneAt ?? null),
      idle,
    };
  }
}

function idleOf(row: Raw): IdleHost | null {
  if (row.hostId === null || row.hostId === undefined) return null;
  const time = (value: unknown): Date | null => fromSqlTime(value as string | null);
  return {
    hostId: Number(row.hostId),
    username: String(row.lastName),
    sign: String(row.sign),
    seenAt: time(row.seenAt),
    keptAt: time(row.keptAt),
    exempt: Number(row.exempt) > 0,
    action: row.action as IdleHost['action'],
    announcedAt: time(row.announcedAt),
    dueOn: row.dueOn as string | null,
    remindedOn: row.remindedOn as string | null,
    done: row.done as IdleHost['done'],
    doneAt: time(row.doneAt),
  };
}
