import { Injectable } from '@nestjs/common';

import { Database, EntityPages } from '../../database/index.js';
import { MonitorCheck } from '../entities/index.js';

/** Selects the checks of a monitor, of an account, or all. */
export interface LogFilter {
  readonly taskId?: number;
  readonly accountId?: number;
}

/** Lists single checks of the last days, newest first. */
@Injectable()
export class MonitorLog {
  private readonly list: EntityPages<MonitorCheck>;

  constructor(database: Database) {
    this.list = new EntityPages(database, MonitorCheck);
  }

  /** Returns a page of checks. @param page from 1 */
  async page({ taskId, accountId }: LogFilter, page: number, limit: number): Promise<{ total: number; checks: MonitorCheck[] }> {
    const conditions: string[] = [];
    const params: number[] = [];
    if (taskId) {
      conditions.push('{MonitorCheck.taskId} = ?');
      params.push(taskId);
    }
    if (accountId) {
      conditions.push('{MonitorCheck.taskId} IN (SELECT {MonitorTask.id} FROM {MonitorTask} WHERE {MonitorTask.accountId} = ?)');
      params.push(accountId);
    }
    const offset = (page - 1) * limit;
    const { total, rows: checks } = await this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit });
    return { total, checks };
  }
}
