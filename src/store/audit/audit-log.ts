import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';

import { addressForLimits } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import { Database, Paginator, type SqlValue } from '../../database/index.js';
import { StoreAudit, type StoreUser } from '../entities/index.js';
import type { PageSlice, StoreCall, StoreCaller } from '../http/index.js';

/** What was done to what. */
export interface AuditEntry {
  /** Such as `item.approve`. */
  readonly action: string;
  /** Kind of thing, such as `item`. */
  readonly subject: string;
  readonly subjectId: number;
  /** What changed: never a secret. */
  readonly detail?: Record<string, unknown>;
}

/** Who does something, from where. */
export interface Actor {
  readonly caller: Pick<StoreCaller, 'id' | 'username'>;
  readonly ip: string;
}

/** The {@link Actor} of a request that nobody makes without an account. */
export function actorOf({ caller, ip }: Pick<StoreCall, 'caller' | 'ip'>): Actor {
  if (!caller) throw new Error('Only what somebody does can be noted.');
  return { caller, ip };
}

/** Which entries of the log. */
export type AuditFilter = Partial<Pick<StoreAudit, 'action' | 'subject' | 'subjectId' | 'actorId'>>;

/** Failed sign-ins of an account that stand in the log by network, in an hour; those of further networks stand together. */
const NETWORKS_PER_HOUR = 20;
const FAILED = 'auth.login_failed';

/** What administrators did, and who signed in or changed what he signs in with. */
@Injectable()
export class StoreAuditLog {
  private readonly rows;
  private readonly lists;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.rows = database.entityRows(StoreAudit);
    this.lists = new Paginator<Record<string, unknown>>(database, 'StoreAudit', this.rows.columns);
  }

  /** Notes what the caller did; inside the transaction that does it, so that there is never one without the other. */
  async record({ caller, ip }: Actor, { action, subject, subjectId, detail = {} }: AuditEntry): Promise<void> {
    await this.database.repository(StoreAudit).insert({
      actorId: caller.id,
      actorName: caller.username,
      action,
      subject,
      subjectId,
      detail: detail as object,
      ip: ip.slice(0, 64),
      createdAt: this.clock.now(),
    });
  }

  /** Notes a wrong password: one entry for an account, a network and an hour, whose number grows, so that strangers do not fill the log. */
  async recordFailedSignIn({ id, username }: Pick<StoreUser, 'id' | 'username'>, ip: string): Promise<void> {
    const now = this.clock.now();
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
    const log = this.database.repository(StoreAudit);
    const present = await log.find({ where: { subject: 'user', subjectId: id, action: FAILED, createdAt: MoreThanOrEqual(hour) }, order: { id: 'DESC' }, take: NETWORKS_PER_HOUR + 10 });
    const own = addressForLimits(ip);
    const network = present.some((entry) => entry.ip === own) || present.length < NETWORKS_PER_HOUR ? own : '';
    const entry = present.find((candidate) => candidate.ip === network);
    if (entry) await log.update({ id: entry.id }, { detail: { failures: Number(entry.detail.failures) + 1 } as object });
    else await this.record({ caller: { id, username }, ip: network }, { action: FAILED, subject: 'user', subjectId: id, detail: { failures: 1 } });
  }

  /** A page, newest first. */
  async page(filter: AuditFilter, slice: PageSlice): Promise<{ total: number; entries: StoreAudit[] }> {
    const wanted = Object.entries(filter).filter((entry): entry is [string, SqlValue & (string | number)] => entry[1] !== undefined);
    const { total, rows } = await this.lists.page({
      conditions: wanted.map(([property]) => `{StoreAudit.${property}} = ?`),
      params: wanted.map(([, value]) => value),
      sort: null,
      direction: 'desc',
      offset: slice.offset,
      limit: slice.pageSize,
    });
    return { total, entries: rows.map((row) => this.rows.read(row)) };
  }
}
