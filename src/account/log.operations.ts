import { Injectable } from '@nestjs/common';
import { Raw, type FindOptionsWhere } from 'typeorm';

import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { ListInput, Operation, OperationLog, Page } from '../operations/index.js';

import { AccountError } from './errors.js';

/** Columns of the wire that may be searched, with the property behind each. */
const SEARCHABLE: Readonly<Record<string, keyof OperationLog>> = { czuser: 'actor', lx: 'category', lr: 'summary', qk: 'outcome', ip: 'ip' };

/** The operation log. Source: docs/panel-api.md "Operation log". */
@Injectable()
export class LogOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listlog', auth: 'admin', input: ListInput, audit: null })
  async list({ page, limit, sortOrder, where, ss }: ListInput): Promise<Page> {
    const conditions: FindOptionsWhere<OperationLog>[] = where ? [condition(where)] : ss ? ['actor', 'summary'].map((name) => ({ [name]: contains(ss) })) : [{}];
    const [rows, total] = await this.database.repository(OperationLog).findAndCount({
      where: conditions,
      order: { id: sortOrder === 'asc' ? 'ASC' : 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return new Page(
      total,
      rows.map((row) => ({
        id: row.id,
        czuser: row.actor,
        date: legacyTime(row.createdAt, this.config.timezone),
        lx: row.category,
        lr: row.summary,
        ip: row.ip,
        qk: row.outcome ?? '',
      })),
    );
  }
}

/** `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains; ignored while a part is empty. */
function condition(text: string): FindOptionsWhere<OperationLog> {
  let parsed: { name?: unknown; type?: unknown; value?: unknown };
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    throw new AccountError('SEARCH_WRONG');
  }
  const name = String(parsed?.name ?? '');
  const value = String(parsed?.value ?? '').slice(0, 200);
  if (name === '' || value === '') return {};
  if (!Object.hasOwn(SEARCHABLE, name)) throw new AccountError('SEARCH_FIELD_UNKNOWN');
  if (String(parsed.type) !== '1' && String(parsed.type) !== '2') throw new AccountError('SEARCH_WRONG');
  return { [SEARCHABLE[name]!]: String(parsed.type) === '1' ? value : contains(value) };
}

function contains(value: string) {
  return Raw((column) => `${column} LIKE :wanted ESCAPE '!'`, { wanted: `%${value.replace(/[!%_]/g, '!$&')}%` });
}
