import { CORE_OWNER, executionContext } from '../common/index.js';

import type { Engine } from './engine.js';

/** Default slow query threshold in milliseconds, without a {@link SlowQueryThreshold}. */
export const SLOW_QUERY_MS = 200;

/** Slow query threshold from the installation's settings; not available in processes without a panel. */
export abstract class SlowQueryThreshold {
  /** Milliseconds; 0 disables recording. Called after every query, including those that load the settings, so it must not throw. */
  abstract current(): number;
}
/** Maximum distinct queries recorded; evicts the one with the least total time. */
const MAX_QUERIES = 100;
/** Maximum characters of the recorded text, and of the statement text processed for it. */
const MAX_TEXT = 1_000;
const MAX_READ = 20_000;
/** Maximum callers recorded per query. */
const MAX_CALLERS = 5;

/** A slow query since the process start. Times in milliseconds. */
export interface SlowQuery {
  /** Statement text without values. */
  readonly text: string;
  /** Number of slow executions. */
  readonly count: number;
  readonly total: number;
  readonly longest: number;
  /** Callers as plugin and operation, path or hook, newest last: `core admin listzj`. */
  readonly callers: readonly string[];
}

/** Records slow database queries. A fast query costs only two clock reads. */
export class SlowQueries {
  /** Number of slow queries, including evicted ones. */
  count = 0;
  private source: SlowQueryThreshold = { current: () => SLOW_QUERY_MS };
  private readonly entries = new Map<string, { -readonly [Field in keyof SlowQuery]: SlowQuery[Field] }>();

  constructor(private readonly engine: Engine) {}

  /** Sets the source of the {@link threshold}: the database exists before the application whose settings contain it. */
  useThreshold(source: SlowQueryThreshold): void {
    this.source = source;
  }

  /** Milliseconds; 0 disables recording. */
  get threshold(): number {
    return this.source.current();
  }

  /** Reports the end of a query. @param began start by `performance.now()` */
  ended(sql: string, began: number): void {
    const took = performance.now() - began;
    const { threshold } = this;
    if (took >= threshold && threshold > 0) this.record(sql, took);
  }

  /** Returns the recorded queries, highest total time first. */
  list(): SlowQuery[] {
    return [...this.entries.values()].sort((a, b) => b.total - a.total);
  }

  private record(sql: string, took: number): void {
    this.count += 1;
    const text = withoutValues(sql, this.engine);
    let entry = this.entries.get(text);
    if (!entry) {
      if (this.entries.size >= MAX_QUERIES) this.entries.delete(this.list().at(-1)!.text);
      this.entries.set(text, (entry = { text, count: 0, total: 0, longest: 0, callers: [] }));
    }
    entry.count += 1;
    entry.total += took;
    entry.longest = Math.max(entry.longest, took);
    const caller = callerNow();
    entry.callers = [...entry.callers.filter((one) => one !== caller), caller].slice(-MAX_CALLERS);
  }
}

/** Matches literals and comments. MySQL allows backslash escapes and double quotes in literals; SQLite uses double quotes for names. */
const TEXTS = {
  sqlite: /((?:\bx)?'(?:[^']|'')*(?:'|$))|\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*/gi,
  mysql: /((?:\bx)?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|"(?:[^"\\]|""|\\[\s\S])*(?:"|$))|\/\*[\s\S]*?(?:\*\/|$)|(?:--|#)[^\n]*/gi,
};

/** Replaces the literal values of a statement with `?`, to hide data and to group equal statements. */
export function withoutValues(sql: string, engine: Engine): string {
  return (
    sql
      .slice(0, MAX_READ)
      .replace(TEXTS[engine], (_, text?: string) => (text === undefined ? ' ' : '?'))
      .replace(/\b0x[0-9a-f]+\b|(?<![\w`"$])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\b/gi, '?')
      .replace(/\(\s*\?(?:\s*,\s*\?)+\s*\)(?:\s*,\s*\(\s*\?(?:\s*,\s*\?)*\s*\))*/g, '(?, …)')
      .replace(/\s+/g, ' ')
      .trim()
      // Shortens TypeORM's long column lists, which are less informative than the table.
      .replace(/^SELECT .{200,}? FROM /i, 'SELECT … FROM ')
      .slice(0, MAX_TEXT)
  );
}

function callerNow(): string {
  const frame = executionContext.getStore();
  const { call, hook, owner = CORE_OWNER } = frame ?? {};
  if (call?.gn) return `${owner} ${call.scope} ${call.gn}`.slice(0, 120);
  if (call) return `${owner} ${call.method} ${call.path}`.slice(0, 120);
  return hook ? `${owner} ${hook}` : owner;
}
