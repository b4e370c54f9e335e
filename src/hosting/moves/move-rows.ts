import { Injectable } from '@nestjs/common';

import { legacyTime, type Locale, sayWords, translate, unpackWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { SiteMove } from '../entities/index.js';

import { MoveWork } from './move-work.js';

/** A move in the wire format: all values are strings. */
export interface MoveLine {
  readonly id: string;
  /** Id of the host. */
  readonly host: string;
  readonly user: string;
  /** Codes of both servers. */
  readonly from: string;
  readonly to: string;
  /** A `SiteMoveState`. */
  readonly zt: string;
  /** Progress in percent; empty if it is not running. */
  readonly jd: string;
  readonly date: string;
  /** Until when the old site is kept; empty if there is none. */
  readonly blsj: string;
  readonly by: string;
  /** What was not copied, the progress, and whether it was returned. */
  readonly bz: string;
  /** When it was returned; empty if it was not. */
  readonly returned_at: string;
  /** Why it failed, or cannot continue. */
  readonly cw: string;
}

/** Converts moves to rows of a list. */
@Injectable()
export class MoveRows {
  constructor(
    private readonly config: AppConfig,
    private readonly work: MoveWork,
  ) {}

  async of(row: SiteMove, locale: Locale): Promise<MoveLine> {
    const { timezone } = this.config;
    const progress = await this.work.progress(row);
    const keptUntil = row.state === 'kept' ? row.keepUntil : null;
    const returnedAt = row.returnedAt ? legacyTime(row.returnedAt, timezone) : '';
    const notes = [
      progress === null ? '' : translate(locale, 'moves.note_progress', { n: progress }),
      returnedAt === '' ? '' : translate(locale, 'moves.note_returned', { date: returnedAt }),
      row.left > 0 ? translate(locale, 'moves.note_left', { n: row.left }) : '',
    ];
    return {
      id: String(row.id),
      host: String(row.hostId),
      user: row.username,
      from: row.fromCode,
      to: row.toCode,
      zt: row.state,
      jd: progress === null ? '' : String(progress),
      date: legacyTime(row.begunAt, timezone),
      blsj: keptUntil ? legacyTime(keptUntil, timezone) : '',
      by: row.by,
      bz: notes.filter((note) => note !== '').join(' '),
      returned_at: returnedAt,
      cw: row.error === null ? '' : sayWords(locale, unpackWords(row.error)),
    };
  }
}
