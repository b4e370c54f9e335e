import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database, legacySqlTime, likeText, removeRows, type SqlValue } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { ForbiddenAllow } from '../entities/index.js';
import { Conditions, readPage, type PageQuery } from '../page-query.js';

/** Maximum number of rules, because each match of a report is checked against all of them. */
export const MAX_ALLOWED = 500;
/** Rows per DELETE, so that other writers do not wait long. */
const BATCH = 1_000;
/** Fields of a rule in the operation log. */
const AUDITED_FIELDS = ['keyword', 'hostId', 'path', 'note'] as const;

/** Conditions of a rule; empty or null matches everything. */
export type AllowRule = Pick<ForbiddenAllow, 'keyword' | 'hostId' | 'path'>;

/** A match to check. */
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

/** Exceptions from scans. */
@Injectable()
export class AllowList {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly settings: SiteSettings,
  ) {}

  /** Returns a page of rules, newest first. */
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
        created_at: legacySqlTime(createdAt, this.clock.timezone),
      })),
    };
  }

  /**
   * Adds a rule and removes the matches it covers.
   *
   * @returns number of removed matches; null if there are already {@link MAX_ALLOWED} rules
   */
  async add(rule: AllowRule & { note: string }): Promise<number | null> {
    const added = await this.database.transaction(async () => {
      // Serialized, so that concurrent calls cannot exceed the limit.
      await this.settings.hold();
      const rows = this.database.repository(ForbiddenAllow);
      if ((await rows.count()) >= MAX_ALLOWED) return false;
      const { identifiers } = await rows.insert({ ...rule, createdAt: this.clock.now() });
      this.database.noteChange({ of: 'allowed_word', id: Number(identifiers[0]!.id), only: AUDITED_FIELDS }, null, rule);
      return true;
    });
    return added ? this.removeCovered(rule) : null;
  }

  /** @returns how many were removed */
  remove(ids: readonly number[]): Promise<number> {
    return removeRows(this.database, ForbiddenAllow, ids, 'allowed_word', AUDITED_FIELDS);
  }

  /** Returns a function that checks matches against the current rules. */
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

/** Whether a text consists of these parts with any text between them; linear time for any pattern. */
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
