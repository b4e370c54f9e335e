import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, RowList, type SqlValue } from '../../database/index.js';
import { StoreAudit } from '../entities/index.js';
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

/** What administrators did. */
@Injectable()
export class StoreAuditLog {
  private readonly rows;
  private readonly lists;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.rows = database.entityRows(StoreAudit);
    this.lists = new RowList<Record<string, unknown>>(database, 'StoreAudit', this.rows.columns);
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
