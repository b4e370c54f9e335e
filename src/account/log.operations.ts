import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, Paginator, type EntityRows, type RowQuery } from '../database/index.js';
import { ListInput, Operation, OperationLog, ListReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';

/** Columns of the wire that may be searched, with the property behind each. */
const SEARCHABLE: Readonly<Record<string, keyof OperationLog>> = {
  czuser: 'actor',
  lx: 'category',
  lr: 'summary',
  qk: 'outcome',
  ip: 'ip',
};

/** What sign-ins are called where `listlog` is asked for one kind alone. */
const SIGN_INS = 'sign_in';

/** Fields of `listlog`. */
class LogListInput extends ListInput {
  /** Only deeds of this kind; `sign_in` is the one programs of others know as `登陆`. */
  @IsOptional() @IsString() @MaxLength(64) lx?: string;
}

type Search = Pick<RowQuery, 'conditions' | 'params'>;

/** The operation log. Source: docs/panel-api.md "Operation log". */
@Injectable()
export class LogOperations {
  private readonly lines: EntityRows<OperationLog>;
  private readonly log: Paginator<Record<string, unknown>>;

  constructor(
    database: Database,
    private readonly config: AppConfig,
  ) {
    this.lines = database.entityRows(OperationLog);
    this.log = new Paginator(database, 'OperationLog', this.lines.columns);
  }

  @Operation({ side: 'admin', gn: 'listlog', auth: 'admin', input: LogListInput, audit: null, rate: 'read' })
  async list({ page, limit, sortOrder, where, ss, lx }: LogListInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const search = ofKind(lx, where ? searchOf(where) : ss ? anyOf(['actor', 'summary'], ss) : EVERYTHING);
    const { total, rows } = await this.log.page({ ...search, sort: null, direction: sortOrder, offset: (page - 1) * limit, limit });
    return new ListReply(
      total,
      rows
        .map((line) => this.lines.read(line))
        .map((row) => ({
          id: row.id,
          czuser: row.actor,
          date: legacyTime(row.createdAt, this.config.timezone),
          lx: row.category,
          lxmc: deedOf(row, locale),
          lr: row.text ? translate(locale, row.text.key, row.text.params) : row.summary,
          ip: row.ip,
          qk: row.text?.outcome ? translate(locale, row.text.outcome.key, row.text.outcome.params) : (row.outcome ?? ''),
        })),
    );
  }
}

/** What kind of deed a line is, in words; a plugin's own kind is told by its name. */
function deedOf({ category, summary }: OperationLog, locale: Locale): string {
  const key = `account.deed.${category}`;
  const words = translate(locale, key);
  if (words !== key) return words;
  const slug = category.startsWith('p_') ? (/^\[([\w-]+)\] /.exec(summary) ?? /^p_([A-Za-z0-9-]+)_/.exec(category))?.[1] : undefined;
  return slug ? translate(locale, 'account.deed_of_plugin', { slug }) : category;
}

function ofKind(kind: string | undefined, { conditions, params }: Search): Search {
  if (!kind) return { conditions, params };
  const category = kind === SIGN_INS ? '登陆' : kind;
  return { conditions: [...conditions, '{OperationLog.category} = ?'], params: [...params, category] };
}

const EVERYTHING: Search = { conditions: [], params: [] };

/** `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains; ignored while a part is empty. */
function searchOf(text: string): Search {
  let parsed: { name?: unknown; type?: unknown; value?: unknown };
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    throw new AccountError('SEARCH_WRONG');
  }
  const name = String(parsed?.name ?? '');
  const value = String(parsed?.value ?? '').slice(0, 200);
  if (name === '' || value === '') return EVERYTHING;
  if (!Object.hasOwn(SEARCHABLE, name)) throw new AccountError('SEARCH_FIELD_UNKNOWN');
  if (String(parsed.type) !== '1' && String(parsed.type) !== '2') throw new AccountError('SEARCH_WRONG');
  const property = SEARCHABLE[name]!;
  return String(parsed.type) === '1' ? { conditions: [`{OperationLog.${property}} = ?`], params: [value] } : anyOf([property], value);
}

/** Whether one of some columns contains a text, as it stands there. */
function anyOf(properties: readonly (keyof OperationLog)[], text: string): Search {
  const wanted = `%${text.replace(/[!%_]/g, '!$&')}%`;
  const condition = properties.map((property) => `{OperationLog.${property}} LIKE ? ESCAPE '!'`).join(' OR ');
  return { conditions: [`(${condition})`], params: properties.map(() => wanted) };
}
