import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { NoticeKind, NoticeSide } from '../notice.js';

/** A notice written since the last poll. */
export interface NewNotice {
  readonly id: number;
  readonly side: NoticeSide;
  readonly accountId: number;
  readonly kind: NoticeKind;
}

/** Rows per poll; after a mass mailing the next poll continues behind them. */
const BATCH = 1_000;
/** How long a smaller id may still appear after a greater one, in milliseconds: ids are assigned on insert but become visible at commit. */
const LATE_MS = 30_000;

/** Polls the table for new notices of all processes and returns each once. */
@Injectable()
export class NewNotices {
  /** Rows up to this id are ignored; null before the first poll. */
  private behind: number | null = null;
  /** Ids found above it, with the time of the poll. */
  private readonly found = new Map<number, number>();
  private readonly select;
  private readonly newest;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.select = database.statement<NewNotice>(
      `SELECT {Notice.id} AS id, {Notice.side} AS side, {Notice.accountId} AS accountId, {Notice.kind} AS kind FROM {Notice}
       WHERE {Notice.id} > ? ORDER BY {Notice.id} LIMIT ${BATCH}`,
    );
    this.newest = database.statement<{ id: number | null }>('SELECT MAX({Notice.id}) AS id FROM {Notice}');
  }

  /** Starts at the newest row unless already started. @returns the id up to which rows are ignored */
  async begin(): Promise<number> {
    if (this.behind === null) {
      const newest = Number((await this.newest.get())?.id ?? 0);
      this.behind ??= newest;
    }
    return this.behind;
  }

  /** Stops while there are no listeners; notices written meanwhile are ignored. */
  stop(): void {
    this.behind = null;
    this.found.clear();
  }

  /** Returns the notices since the last poll, by id. */
  async poll(): Promise<NewNotice[]> {
    const rows = await this.select.all(await this.begin());
    const now = this.clock.now().getTime();
    const appeared = rows.filter(({ id }) => !this.found.has(id));
    for (const { id } of appeared) this.found.set(id, now);
    if (rows.length === BATCH) this.behind = rows.at(-1)!.id;
    for (const [id, at] of this.found) if (now - at > LATE_MS) this.behind = Math.max(this.behind ?? 0, id);
    for (const id of this.found.keys()) if (id <= (this.behind ?? 0)) this.found.delete(id);
    return appeared;
  }
}
