import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { Database, EntityPages, type SqlValue } from '../../database/index.js';
import { EmptyIsUnset } from '../../http/index.js';
import { ListInput } from '../../operations/index.js';
import { MONITOR_KINDS, MonitorTask } from '../entities/index.js';

import { searchedOf } from './searched.js';

/** States in lists; `off`: disabled. */
export const SHOWN_STATES = ['up', 'down', 'pending', 'maintenance', 'off'] as const;

/** Fields of `listjk`. */
export class MonitorListInput extends ListInput {
  @IsOptional() @EmptyIsUnset() @IsIn(SHOWN_STATES) state?: string;
  @IsOptional() @EmptyIsUnset() @IsIn(MONITOR_KINDS) task_type?: string;
}

/** Searchable columns. */
const SEARCHED: Readonly<Record<string, string>> = { name: 'name', user: 'user', url: 'url', tags: 'tags' };

/** Lists all monitors for administrators. */
@Injectable()
export class MonitorList {
  private readonly list: EntityPages<MonitorTask>;

  constructor(database: Database) {
    this.list = new EntityPages(database, MonitorTask);
  }

  /** Returns a page of the matching monitors, sorted by id. */
  async page(input: MonitorListInput): Promise<{ total: number; tasks: MonitorTask[] }> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    const add = (condition: string, ...values: SqlValue[]): void => {
      conditions.push(condition);
      params.push(...values);
    };
    if (input.state === 'off') add('{MonitorTask.enabled} = 0');
    else if (input.state) add('{MonitorTask.enabled} = 1 AND {MonitorTask.state} = ?', input.state);
    if (input.task_type) add('{MonitorTask.type} = ?', input.task_type);
    const { column, text } = searchedOf(input, SEARCHED, 'name');
    if (column) add(`INSTR(LOWER({MonitorTask.${column}}), LOWER(?)) > 0`, text);
    const query = {
      conditions,
      params,
      sort: null,
      direction: input.sortOrder,
      offset: (input.page - 1) * input.limit,
      limit: input.limit,
    };
    const { total, rows: tasks } = await this.list.page(query);
    return { total, tasks };
  }
}
