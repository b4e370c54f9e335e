import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, legacySqlTime, likeText, removeRows, type SqlValue } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { ForbiddenAllow } from '../entities/index.js';
import { Conditions, readPage, type PageQuery } from '../page-query.js';

/** As many there may be: each match of a report is held against all of them. */
export const MAX_ALLOWED = 500;
/** Matches removed by one statement: no writer waits long for it. */
const BATCH = 1_000;
/** What the operation log tells of a rule. */
const TOLD = ['keyword', 'hostId', 'path', 'note'] as const;

/** What may be there; what is empty or null fits everything. */
export type AllowRule = Pick<ForbiddenAllow, 'keyword' | 'hostId' | 'path'>;

/** What is held against the rules. */
interface Candidate {
  readonly keyword: string;
  readonly target: string;
  readonly hostId: number | null;
}

interface RuleRow {
  readonly id: number;
  readonly keyword: string;
  readonly user: string | null;
  readonly path: string;
  readonly note: string;
  readonly createdAt: string;
}

/** What may be there although a scan looks for it. */
@Injectable()
export class AllowList {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly settings: SiteSettings,
  ) {}

  /** Newest first. */
  async page(query: PageQuery): Promise<{ total: number; rows: object[] }> {
    const { total, rows } = await readPage<RuleRow>(this.database, query, {
      columns: `a.{ForbiddenAllow.id} AS id, a.{ForbiddenAllow.keyword} AS keyword, h.{HostingAccount.username} AS user,
        a.{ForbiddenAllow.path} AS path, a.{ForbiddenAllow.note} AS note, a.{ForbiddenAllow.createdAt} AS createdAt`,
      from: '{ForbiddenAllow} a LEFT JOIN {HostingAccount} h ON h.{HostingAccount.id} = a.{ForbiddenAllow.hostId}',
      conditions: new Conditions(),
      sorts: new Map(),
      id: 'a.{ForbiddenAllow.id}',
    });
    return {
      total,
      rows: rows.map(({ id, keyword, user, path, note, createdAt }) => ({
        id: String(id),
        keyword,
        user: user ?? '',
        path,
        note,
        created_at: legacySqlTime(createdAt, this.config.timezone),
      })),
    };
  }

  /**
   * Adds a rule, and takes what it covers off the list of matches.
   *
   * @returns how many matches were taken off; null where there are {@link MAX_ALLOWED} already
   */
  async add(rule: AllowRule & { note: string }): Promise<number | null> {
    const added = await this.database.transaction(async () => {
      // One after the other, so that the last place is given once.
      await this.settings.hold();
      const rows = this.database.repository(ForbiddenAllow);
      if ((await rows.count()) >= MAX_ALLOWED) return false;
      const { identifiers } = await rows.insert({ ...rule, createdAt: this.clock.now() });
      this.database.noteChange({ of: 'allowed_word', id: Number(identifiers[0]!.id), only: TOLD }, null, rule);
      return true;
    });
    return added ? this.removeCovered(rule) : null;
  }

  /** @returns how many there were of these */
  remove(ids: readonly number[]): Promise<number> {
    return removeRows(this.database, ForbiddenAllow, ids, 'allowed_word', TOLD);
  }

  /** Says of a match whether a rule covers it; of as many as there are, with the rules as they are now. */
  async checker(): Promise<(match: Candidate) => boolean> {
    const rules = await this.database.repository(ForbiddenAllow).find({ order: { id: 'ASC' }, take: MAX_ALLOWED });
    const covers = rules.map(({ keyword, hostId, path }) => {
      const parts = path === '' ? null : path.toLowerCase().split('*');
      return (match: Candidate): boolean =>
        (keyword === '' || keyword === match.keyword) &&
        (hostId === null || hostId === match.hostId) &&
        (parts === null || fits(match.target.toLowerCase(), parts));
    });
    return (match) => covers.some((cover) => cover(match));
  }

  private async removeCovered({ keyword, hostId, path }: AllowRule): Promise<number> {
    const conditions = new Conditions();
    if (keyword !== '') conditions.add('{ForbiddenMatch.keyword} = ?', keyword);
    if (hostId !== null) conditions.add('{ForbiddenMatch.hostId} = ?', hostId);
    if (path !== '') conditions.add("LOWER({ForbiddenMatch.file}) LIKE ? ESCAPE '!'", likeOf(path));
    const statement = this.database.statement(`DELETE FROM {ForbiddenMatch} ${conditions} LIMIT ${BATCH}`);
    let removed = 0;
    for (let affected = BATCH; affected === BATCH; await nextTurn()) {
      ({ affected } = await statement.run(...(conditions.params as SqlValue[])));
      removed += affected;
    }
    return removed;
  }
}

/** Whether a text is these parts with any text between them: in one pass, whatever the pattern is. */
export function fits(text: string, parts: readonly string[]): boolean {
  const [first, ...rest] = parts as readonly [string, ...string[]];
  if (rest.length === 0) return text === first;
  const last = rest.pop()!;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

function likeOf(path: string): string {
  return likeText(path.toLowerCase()).replaceAll('*', '%');
}
