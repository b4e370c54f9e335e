import { Injectable } from '@nestjs/common';

import { DAY_MS, startOfDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database, legacySqlTime, Paginator, toSqlTime } from '../../database/index.js';
import { PAUSE_REASON } from '../../hosting/index.js';
import { Conditions, readPage, type PageQuery } from '../page-query.js';
import { QUARANTINE_CAPABILITY } from '../wire/index.js';

/** Maximum number of scans per task id: agents choose the ids of their own scans, so several nodes may use the same. */
const MAX_SCANS = 200;
const SCAN_COLUMNS = `{ForbiddenScan}.{ForbiddenScan.id} AS id, {ForbiddenScan}.{ForbiddenScan.taskId} AS taskId,
  {ForbiddenScan}.{ForbiddenScan.nodeId} AS nodeId, {ForbiddenScan}.{ForbiddenScan.site} AS site,
  {ForbiddenScan}.{ForbiddenScan.status} AS status, {ForbiddenScan}.{ForbiddenScan.scannedFiles} AS scannedFiles,
  {ForbiddenScan}.{ForbiddenScan.scannedRows} AS scannedRows,
  {ForbiddenScan}.{ForbiddenScan.matchCount} AS matchCount, {ForbiddenScan}.{ForbiddenScan.summary} AS summary,
  {ForbiddenScan}.{ForbiddenScan.createdAt} AS createdAt, {ForbiddenScan}.{ForbiddenScan.seenAt} AS seenAt`;
const MATCH_COLUMNS = `m.{ForbiddenMatch.id} AS id, m.{ForbiddenMatch.scanId} AS scanId, s.{ForbiddenScan.taskId} AS taskId,
  s.{ForbiddenScan.nodeId} AS nodeId,
  s.{ForbiddenScan.site} AS site, m.{ForbiddenMatch.type} AS type, m.{ForbiddenMatch.file} AS target, m.{ForbiddenMatch.line} AS line_no,
  m.{ForbiddenMatch.keyword} AS keyword, m.{ForbiddenMatch.excerpt} AS excerpt, m.{ForbiddenMatch.hostId} AS hostId,
  h.{HostingAccount.username} AS user,
  h.{HostingAccount.pauseReasons} AS pauses, m.{ForbiddenMatch.fileKey} AS fileKey, a.{AgentNode.capabilities} AS capabilities,
  s.{ForbiddenScan.createdAt} AS createdAt`;
const MATCH_FROM = `{ForbiddenMatch} m JOIN {ForbiddenScan} s ON s.{ForbiddenScan.id} = m.{ForbiddenMatch.scanId}
  LEFT JOIN {AgentNode} a ON a.{AgentNode.nodeId} = s.{ForbiddenScan.nodeId}
  LEFT JOIN {HostingAccount} h ON h.{HostingAccount.id} = m.{ForbiddenMatch.hostId}`;
const MATCH_SORTS: ReadonlyMap<string, string> = new Map();

/** Day ranges for filtering, as offsets from today: first day and the day after the last. */
const DAYS = { today: [0, 1], yesterday: [-1, 0], week: [-6, 1], month: [-29, 1] } as const;

/** Names of {@link DAYS}. */
export type TimeFilter = keyof typeof DAYS;
/** Result filters of a list. */
export type StatusFilter = 'success' | 'failed' | 'has_matches';

interface ScanRow {
  readonly id: number;
  readonly taskId: string;
  readonly nodeId: string;
  readonly site: string;
  readonly status: string;
  readonly scannedFiles: number;
  readonly scannedRows: number;
  readonly matchCount: number;
  readonly summary: string | null;
  readonly createdAt: string;
  readonly seenAt: string | null;
}

interface MatchRow {
  readonly id: number;
  readonly scanId: number;
  readonly taskId: string;
  readonly nodeId: string;
  readonly site: string;
  readonly type: string;
  readonly target: string;
  readonly line_no: number;
  readonly keyword: string;
  readonly excerpt: string;
  readonly hostId: number | null;
  /** Null for a deleted host. */
  readonly user: string | null;
  /** Reasons of its suspension, JSON. */
  readonly pauses: string | null;
  readonly fileKey: string;
  /** Capabilities of its agent, JSON; null for a deleted agent. */
  readonly capabilities: string | null;
  readonly createdAt: string;
}

/** A scan as listed. */
export interface ScanLine extends Readonly<Record<string, unknown>> {
  /** Has `error` if it failed. */
  readonly summary: Readonly<Record<string, unknown>> & { readonly error?: string };
}

/** Lists scans and matches for administrators. */
@Injectable()
export class ScanList {
  private readonly list: Paginator<ScanRow>;
  private readonly ofTask;
  private readonly matchesSince;
  private readonly fileKeyOf;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.list = new Paginator(database, 'ForbiddenScan', SCAN_COLUMNS);
    this.ofTask = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.taskId} = ? ORDER BY {ForbiddenScan.nodeId}
        LIMIT ${MAX_SCANS}`,
    );
    this.fileKeyOf = database.statement<{ key: string }>(
      'SELECT {ForbiddenMatch.fileKey} AS `key` FROM {ForbiddenMatch} WHERE {ForbiddenMatch.id} = ?',
    );
    this.matchesSince = database.statement<{ total: number | null }>(
      'SELECT SUM({ForbiddenScan.matchCount}) AS total FROM {ForbiddenScan} WHERE {ForbiddenScan.createdAt} >= ?',
    );
  }

  async scans(
    { page, limit, sort, sortOrder }: PageQuery,
    filter: { nodeId?: string; time?: TimeFilter; status?: StatusFilter },
  ): Promise<{ total: number; rows: ScanLine[] }> {
    const { parts, params } = this.conditionsOf(filter);
    const { total, rows } = await this.list.page({
      conditions: parts,
      params,
      sort: sort === 'created_at' ? 'createdAt' : null,
      direction: sortOrder,
      offset: (page - 1) * limit,
      limit,
    });
    return { total, rows: rows.map((row) => this.scanLine(row)) };
  }

  /** @param filter selects matches of one scan, of all scans under a task id, in the file of a match, or of one host */
  async matches(
    query: PageQuery,
    filter: { taskId?: string; scanId?: number; fileOf?: number; hostId?: number },
  ): Promise<{ total: number; rows: object[] }> {
    const conditions = new Conditions();
    if (filter.scanId !== undefined) conditions.add('m.{ForbiddenMatch.scanId} = ?', filter.scanId);
    if (filter.hostId !== undefined) conditions.add('m.{ForbiddenMatch.hostId} = ?', filter.hostId);
    if (filter.fileOf !== undefined) {
      const key = (await this.fileKeyOf.get(filter.fileOf))?.key;
      if (!key) return { total: 0, rows: [] };
      conditions.add('m.{ForbiddenMatch.fileKey} = ?', key);
    }
    if (filter.taskId) {
      const ids = (await this.ofTask.all(filter.taskId)).map((row) => row.id);
      if (ids.length === 0) return { total: 0, rows: [] };
      conditions.add(`m.{ForbiddenMatch.scanId} IN (${ids.map(() => '?').join(', ')})`, ...ids);
    }
    const { total, rows } = await readPage<MatchRow>(this.database, query, {
      columns: MATCH_COLUMNS,
      from: MATCH_FROM,
      conditions,
      sorts: MATCH_SORTS,
      id: 'm.{ForbiddenMatch.id}',
    });
    return { total, rows: rows.map((row) => this.matchLine(row)) };
  }

  /** Returns the number of matches reported today in the panel's time zone. */
  async matchesToday(): Promise<number> {
    return Number((await this.matchesSince.get(toSqlTime(this.dayFromToday(0))))?.total ?? 0);
  }

  private conditionsOf({ nodeId, time, status }: { nodeId?: string; time?: TimeFilter; status?: StatusFilter }): Conditions {
    const conditions = new Conditions();
    if (nodeId !== undefined) conditions.add('{ForbiddenScan.nodeId} = ?', nodeId);
    if (status === 'has_matches') conditions.add('{ForbiddenScan.matchCount} > 0');
    else if (status) conditions.add('{ForbiddenScan.status} = ?', status);
    if (time) {
      const [from, to] = DAYS[time].map((day) => toSqlTime(this.dayFromToday(day)));
      conditions.add('{ForbiddenScan.createdAt} >= ?', from!);
      conditions.add('{ForbiddenScan.createdAt} < ?', to!);
    }
    return conditions;
  }

  /** Returns the start of a day in the panel's time zone; days may have 23 or 25 hours. */
  private dayFromToday(days: number): Date {
    const { timezone } = this.clock;
    const noon = new Date(startOfDay(this.clock.now(), timezone).getTime() + DAY_MS / 2);
    return startOfDay(new Date(noon.getTime() + days * DAY_MS), timezone);
  }

  private scanLine(row: ScanRow): ScanLine {
    return {
      id: String(row.id),
      task_id: row.taskId,
      node_id: row.nodeId,
      site: row.site,
      status: row.status,
      scanned_files: row.scannedFiles,
      scanned_rows: row.scannedRows,
      matches_count: row.matchCount,
      summary: JSON.parse(row.summary ?? '{}') as ScanLine['summary'],
      created_at: this.time(row.createdAt),
      seen_at: this.time(row.seenAt),
    };
  }

  private matchLine(row: MatchRow): object {
    return {
      id: String(row.id),
      scan_id: String(row.scanId),
      task_id: row.taskId,
      node_id: row.nodeId,
      site: row.site,
      match_type: row.type,
      file: row.target,
      target: row.target,
      line_no: row.line_no,
      keyword: row.keyword,
      excerpt: row.excerpt,
      host_id: row.user === null ? '' : String(row.hostId),
      user: row.user ?? '',
      // `true` while its host is suspended because of a scan.
      paused: String(row.pauses !== null && (JSON.parse(row.pauses) as string[]).includes(PAUSE_REASON.scan)),
      in_file: String(row.fileKey !== ''),
      // `true` if its agent supports quarantine.
      can_take: String(row.fileKey !== '' && (JSON.parse(row.capabilities ?? '[]') as string[]).includes(QUARANTINE_CAPABILITY)),
      created_at: this.time(row.createdAt),
    };
  }

  private time(text: string | null): string {
    return legacySqlTime(text, this.clock.timezone);
  }
}
