import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { DAY_MS, localeOf } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, EntityPages, likeAnywhere, likeText, type RowQuery, toSqlTime } from '../database/index.js';
import { ListInput, ListReply, NoInput, Operation, OperationLog, SuccessReply, WholeNumber } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { fieldsOf, subjectsOf } from './log-changes.js';
import { categoryOf, categoryLabel, logLine, type LogLine } from './log-lines.js';

/** Searchable wire columns, with their properties. */
const SEARCHABLE: Readonly<Record<string, keyof OperationLog>> = {
  czuser: 'actor',
  lx: 'category',
  lr: 'summary',
  qk: 'outcome',
  ip: 'ip',
};

/** Fields of `listlog`. */
class LogListInput extends ListInput {
  /** Only actions of this kind; `sign_in` is known to third-party programs as `登陆`. */
  @IsOptional() @IsString() @MaxLength(64) lx?: string;
  /** Only the last days. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(3_650) sj?: number;
}

class OwnLogInput extends ListInput {
  /** As in `listlog`. */
  @IsOptional() @IsString() @MaxLength(64) lx?: string;
}

/** Identifies a log line. */
export class LogLineInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Maximum length of a stored subject. */
const MAX_SUBJECT = 100;

type Search = Pick<RowQuery, 'conditions' | 'params'>;

/** The operation log. Source: docs/panel-api.md "Operation log". */
@Injectable()
export class LogOperations {
  private readonly log: EntityPages<OperationLog>;

  private readonly categories;
  private readonly newest;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.categories = database.statement<{ category: string; n: number }>(
      'SELECT {OperationLog.category} AS category, COUNT(*) AS n FROM {OperationLog} ' +
        'GROUP BY {OperationLog.category} ORDER BY {OperationLog.category} LIMIT 500',
    );
    this.newest = database.statement<{ plugin: string | null }>(
      'SELECT {OperationLog.plugin} AS plugin FROM {OperationLog} WHERE {OperationLog.category} = ? ' +
        'ORDER BY {OperationLog.id} DESC LIMIT 1',
    );
    this.log = new EntityPages(database, OperationLog);
  }

  @Operation({ side: 'admin', gn: 'listlog', auth: 'admin', input: LogListInput, audit: null, rate: 'read' })
  list(input: LogListInput, ctx: CallContext): Promise<ListReply<LogLine>> {
    const { where, ss, lx, sj } = input;
    const found = where ? searchOf(where) : ss ? anyOf(['actor', 'summary'], ss) : EVERYTHING;
    return this.page(this.ofLastDays(sj, ofKind(lx, found)), input, ctx);
  }

  /** Lists the caller's own actions and attempts to sign in to their account. */
  @Operation({ side: 'admin', gn: 'wdlog', auth: 'admin', input: OwnLogInput, audit: null, rate: 'read', own: true })
  listOfAdmin(input: OwnLogInput, ctx: CallContext): Promise<ListReply<LogLine>> {
    return this.page(ofKind(input.lx, ofAccount('admin', ctx.admin!.id)), input, ctx);
  }

  /** As {@link listOfAdmin}, for users. */
  @Operation({ side: 'user', gn: 'wdlog', auth: 'user', input: OwnLogInput, audit: null, rate: 'read', own: true })
  listOfUser(input: OwnLogInput, ctx: CallContext): Promise<ListReply<LogLine>> {
    return this.page(ofKind(input.lx, ofAccount('user', ctx.user!.id)), input, ctx);
  }

  /** Returns a log line with all details. @throws AccountError LOG_LINE_MISSING */
  @Operation({ side: 'admin', gn: 'logsj', auth: 'admin', input: LogLineInput, audit: null, rate: 'read' })
  async read({ id }: LogLineInput, ctx: CallContext): Promise<SuccessReply> {
    const row = await this.database.repository(OperationLog).findOneBy({ id });
    if (!row) throw new AccountError('LOG_LINE_MISSING');
    const { side, accountId, rid } = row;
    const line = logLine(row, localeOf(ctx.locale), this.clock.timezone);
    return new SuccessReply('account.log_line', { ...line, bd: side ?? '', zh_id: accountId ?? '', rid: rid ?? '' });
  }

  /** Lists the kinds of actions in the log. */
  @Operation({ side: 'admin', gn: 'loglx', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async kinds(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const found = await this.categories.all();
    const rows = [];
    for (const { category, n } of found) {
      const plugin = (await this.newest.get(category))?.plugin ?? null;
      rows.push({ lx: category, mc: categoryLabel(category, plugin, locale), sl: Number(n) });
    }
    return new ListReply(rows.length, rows);
  }

  /** Returns the URL to download the lines that `listlog` would list. */
  @Operation({ side: 'admin', gn: 'logdc', auth: 'admin', input: LogListInput, audit: null, rate: 'read' })
  file({ where, lx, sj }: LogListInput): SuccessReply {
    const { name, value } = partsOf(where || '{}');
    const search = new URLSearchParams({ export: 'log' });
    for (const [field, given] of Object.entries({ q: name && value, in: value && name, lx, sj }))
      if (given) search.set(field, String(given));
    return new SuccessReply('account.log_file', { url: `/admin/log?${search}` });
  }

  private async page(search: Search, { page, limit, sortOrder }: ListInput, ctx: CallContext): Promise<ListReply<LogLine>> {
    const locale = localeOf(ctx.locale);
    const { total, rows } = await this.log.page({ ...search, sort: null, direction: sortOrder, offset: (page - 1) * limit, limit });
    return new ListReply(
      total,
      rows.map((row) => logLine(row, locale, this.clock.timezone)),
    );
  }

  private ofLastDays(days: number | undefined, { conditions, params }: Search): Search {
    if (days === undefined) return { conditions, params };
    // Rounded to minutes, because the list caches totals by condition.
    const from = Math.floor(this.clock.now().getTime() / 60_000) * 60_000 - days * DAY_MS;
    return { conditions: [...conditions, '{OperationLog.createdAt} >= ?'], params: [...params, toSqlTime(new Date(from))] };
  }
}

function ofAccount(side: Scope, id: number): Search {
  return { conditions: ['{OperationLog.side} = ?', '{OperationLog.accountId} = ?'], params: [side, id] };
}

function ofKind(kind: string | undefined, { conditions, params }: Search): Search {
  if (!kind) return { conditions, params };
  return { conditions: [...conditions, '{OperationLog.category} = ?'], params: [...params, categoryOf(kind)] };
}

const EVERYTHING: Search = { conditions: [], params: [] };

/** `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains; ignored if a part is empty. */
function searchOf(text: string): Search {
  const { name, value, type } = partsOf(text);
  if (name === '' || value === '') return EVERYTHING;
  if (name === 'zt')
    return among(
      'subject',
      subjectsOf(value).map((subject) => subject.slice(0, MAX_SUBJECT)),
    );
  if (name === 'zd') return changedField(value);
  if (!Object.hasOwn(SEARCHABLE, name)) throw new AccountError('SEARCH_FIELD_UNKNOWN');
  if (type !== '1' && type !== '2') throw new AccountError('SEARCH_WRONG');
  const property = SEARCHABLE[name]!;
  return type === '1' ? { conditions: [`{OperationLog.${property}} = ?`], params: [value] } : anyOf([property], value);
}

/** Matches a column against some values; without values, nothing. */
function among(property: keyof OperationLog, values: readonly string[]): Search {
  if (values.length === 0) return { conditions: ['1 = 0'], params: [] };
  return { conditions: [`{OperationLog.${property}} IN (${values.map(() => '?').join(', ')})`], params: [...values] };
}

/** Matches lines that changed a field with this name or label. */
function changedField(text: string): Search {
  const patterns = [likeAnywhere(text), ...fieldsOf(text).map((name) => `%,${likeText(name)},%`)];
  return { conditions: [`(${patterns.map(() => "{OperationLog.fields} LIKE ? ESCAPE '!'").join(' OR ')})`], params: patterns };
}

function partsOf(text: string): { name: string; value: string; type: string } {
  let parsed: { name?: unknown; type?: unknown; value?: unknown } | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    throw new AccountError('SEARCH_WRONG');
  }
  return { name: String(parsed?.name ?? ''), value: String(parsed?.value ?? '').slice(0, 200), type: String(parsed?.type) };
}

/** Matches lines in which one of some columns contains a text literally. */
function anyOf(properties: readonly (keyof OperationLog)[], text: string): Search {
  const wanted = likeAnywhere(text);
  const condition = properties.map((property) => `{OperationLog.${property}} LIKE ? ESCAPE '!'`).join(' OR ');
  return { conditions: [`(${condition})`], params: properties.map(() => wanted) };
}
