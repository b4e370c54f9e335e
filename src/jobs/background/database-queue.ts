import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';

import { checkedTask } from './added-task.js';
import { BackgroundQueue, type AddOptions, type TaskFilter, type TaskList, type TaskPage, type TaskView } from './background-queue.js';
import { TaskRecords } from './task-records.js';
import { TaskWorker } from './task-worker.js';

/** Background queue in the panel's database, without further services. */
@Injectable()
export class DatabaseQueue extends BackgroundQueue {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly records: TaskRecords,
    private readonly worker: TaskWorker,
  ) {
    super();
  }

  async add(name: string, payload: unknown, options?: AddOptions): Promise<string> {
    const id = await this.records.add(checkedTask(name, payload, options));
    this.database.afterCommit(() => this.worker.wake());
    return String(id);
  }

  async find(id: string): Promise<TaskView | null> {
    const number = idOf(id);
    return number === null ? null : this.records.find(number);
  }

  list(filter: TaskFilter, page: TaskPage): Promise<TaskList> {
    return this.records.list(filter, page);
  }

  async cancel(id: string): Promise<boolean> {
    const number = idOf(id);
    const outcome = number === null ? null : await this.records.cancel(number);
    if (outcome === 'stopping') this.database.afterCommit(() => this.worker.cancel(id));
    return outcome !== null;
  }

  async retry(id: string): Promise<boolean> {
    const number = idOf(id);
    if (number === null) return false;
    try {
      if (!(await this.records.retry(number))) return false;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    this.database.afterCommit(() => this.worker.wake());
    return true;
  }

  start(): void {
    if (this.config.runs('worker')) this.worker.start();
  }

  idle(): Promise<void> {
    return this.worker.idle();
  }
}

const idOf = (id: string): number | null => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : null);
