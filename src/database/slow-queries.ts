import { CORE_OWNER, executionContext } from '../common/index.js';

import type { Engine } from './engine.js';

/** From when on a query is slow where no {@link SlowQueryThreshold} says otherwise, in milliseconds. */
export const SLOW_QUERY_MS = 200;

/** From when on a query is slow. Comes from the settings of the installation; a process without a panel has none. */
export abstract class SlowQueryThreshold {
  /** Milliseconds; 0: nothing is kept. Asked after every query, those by which the settings are read too: it must not throw. */
  abstract current(): number;
}
/** Different queries that are kept: what is rarer than all of them makes place. */
const MOST = 100;
/** Of the text that is kept, and of what is read to make it, in characters. */
const MAX_TEXT = 1_000;
const MAX_READ = 20_000;
/** Callers kept with each query. */
const MAX_CALLERS = 5;

/** A query that took long since the process was started. Times in milliseconds. */
export interface SlowQuery {
  /** Without values. */
  readonly text: string;
  /** How often it took long. */
  readonly count: number;
  readonly total: number;
  readonly longest: number;
  /** Plugin and operation, path or hook it was asked for, newest last: `core admin listzj`. */
  readonly callers: readonly string[];
}

/** Keeps the database queries that take long. A quick one costs two looks at the clock. */
export class SlowQueries {
  /** Of all that were slow, those that are not kept any more too. */
  count = 0;
  private source: SlowQueryThreshold = { current: () => SLOW_QUERY_MS };
  private readonly entries = new Map<string, { -readonly [Field in keyof SlowQuery]: SlowQuery[Field] }>();

  constructor(private readonly engine: Engine) {}

  /** Who is asked for the {@link threshold} from now on: the database is there before the application whose settings have it. */
  measureBy(source: SlowQueryThreshold): void {
    this.source = source;
  }

  /** Milliseconds; 0: nothing is kept. */
  get threshold(): number {
    return this.source.current();
  }

  /** Says that a query has ended. @param began by `performance.now()` */
  ended(sql: string, began: number): void {
    const took = performance.now() - began;
    const { threshold } = this;
    if (took >= threshold && threshold > 0) this.note(sql, took);
  }

  /** Those that took most time together first. */
  list(): SlowQuery[] {
    return [...this.entries.values()].sort((a, b) => b.total - a.total);
  }

  private note(sql: string, took: number): void {
    this.count += 1;
    const text = withoutValues(sql, this.engine);
    let entry = this.entries.get(text);
    if (!entry) {
      if (this.entries.size >= MOST) this.entries.delete(this.list().at(-1)!.text);
      this.entries.set(text, (entry = { text, count: 0, total: 0, longest: 0, callers: [] }));
    }
    entry.count += 1;
    entry.total += took;
    entry.longest = Math.max(entry.longest, took);
    const caller = callerNow();
    entry.callers = [...entry.callers.filter((one) => one !== caller), caller].slice(-MAX_CALLERS);
  }
}

/** Texts and comments in the order they come. A server knows \\ in texts, and " around them; SQLite has names in ". */
const TEXTS = {
  sqlite: /((?:\bx)?'(?:[^']|'')*(?:'|$))|\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*/gi,
  mysql: /((?:\bx)?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|"(?:[^"\\]|""|\\[\s\S])*(?:"|$))|\/\*[\s\S]*?(?:\*\/|$)|(?:--|#)[^\n]*/gi,
};

/** A statement with `?` for every value that was written into it, so that it gives nothing away and many are one. */
export function withoutValues(sql: string, engine: Engine): string {
  return (
    sql
      .slice(0, MAX_READ)
      .replace(TEXTS[engine], (_, text?: string) => (text === undefined ? ' ' : '?'))
      .replace(/\b0x[0-9a-f]+\b|(?<![\w`"$])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\b/gi, '?')
      .replace(/\(\s*\?(?:\s*,\s*\?)+\s*\)(?:\s*,\s*\(\s*\?(?:\s*,\s*\?)*\s*\))*/g, '(?, …)')
      .replace(/\s+/g, ' ')
      .trim()
      // Columns by the dozen, as TypeORM names them, say less than where they come from.
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
