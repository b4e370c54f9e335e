import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { NoticeKind, NoticeSide } from '../notice.js';

/** A notice that was written since the last look. */
export interface NewNotice {
  readonly id: number;
  readonly side: NoticeSide;
  readonly accountId: number;
  readonly kind: NoticeKind;
}

/** Rows of one look; more than that is a mailing, and the next look goes on behind them. */
const BATCH = 1_000;
/**
 * How long a smaller id may still appear behind a greater one, in milliseconds: ids are given when a row is written, and
 * seen when its transaction ends.
 */
const LATE_MS = 30_000;

/** Notices as they appear in the table, whichever process wrote them: each is found once. */
@Injectable()
export class NewNotices {
  /** Rows up to here are not looked at any more; null before the first look. */
  private behind: number | null = null;
  /** Ids found above that, with the time of the look. */
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

  /** Begins with what is written from now on, where it has not begun. @returns the id up to which nothing is looked at */
  async begin(): Promise<number> {
    if (this.behind === null) {
      const newest = Number((await this.newest.get())?.id ?? 0);
      this.behind ??= newest;
    }
    return this.behind;
  }

  /** Nobody listens: what is written meanwhile is not looked for. */
  stop(): void {
    this.behind = null;
    this.found.clear();
  }

  /** What has appeared since the last look, by id. */
  async look(): Promise<NewNotice[]> {
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
