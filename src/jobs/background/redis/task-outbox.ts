import type { Clock } from '../../../common/index.js';
import { fromSqlTime, type Database } from '../../../database/index.js';

import type { AddedTask } from '../added-task.js';
import type { TaskList, TaskPage, TaskView } from '../background-queue.js';
import { TaskClaims } from '../task-claims.js';
import type { TaskRecords } from '../task-records.js';
import type { TaskSettings } from '../task-settings.js';

import { idOf } from './redis-tasks.js';

/** Rows read per query. */
const BATCH = 200;
/** Prefix of job ids that were created from rows. */
const MARK = 'r';
const ROW_ID = /^[\w.-]{1,60}~r([1-9]\d{0,9})$/;

interface KeptRow {
  id: number;
  name: string;
  key: string | null;
  payload: string;
  priority: number;
  by: string | null;
  runAt: string;
  ready: number;
  addedAt: string;
}

/**
 * Tasks that are not in Redis yet: rows of the task table. A row is deleted when Redis has its task, under a job id derived from the row's
 * id, so that a task sent twice (after a crash, or by two processes) exists only once.
 */
export class TaskOutbox {
  private readonly claims: TaskClaims;
  private readonly waiting;
  private readonly keyed;
  private readonly remove;

  constructor(
    database: Database,
    clock: Clock,
    private readonly records: TaskRecords,
    settings: TaskSettings,
  ) {
    this.claims = new TaskClaims(database, clock, settings);
    this.waiting = database.statement<KeptRow>(
      `SELECT {Task.id} AS id, {Task.name} AS name, {Task.key} AS ${'`key`'}, {Task.payload} AS payload, {Task.priority} AS priority,
        {Task.by} AS ${'`by`'}, {Task.dueAt} AS runAt, {Task.ready} AS ready,
        {Task.addedAt} AS addedAt
       FROM {Task} WHERE {Task.state} = 'waiting' AND {Task.id} > ? ORDER BY {Task.id} LIMIT ${BATCH}`,
    );
    this.keyed = database.statement('SELECT 1 AS kept FROM {Task} WHERE {Task.name} = ? AND {Task.openKey} = ?');
    this.remove = database.statement("DELETE FROM {Task} WHERE {Task.id} = ? AND {Task.state} = 'waiting'");
  }

  /** Stores a task in the table, in the current transaction. @returns its id, the same here and in Redis */
  async keep(task: AddedTask): Promise<string> {
    return idOf(task.name, `${MARK}${await this.records.add(task)}`);
  }

  /** Returns a stored task. */
  async find(id: string): Promise<TaskView | null> {
    const row = rowOf(id);
    const task = row === null ? null : await this.records.find(row);
    return task && named(task);
  }

  /** Cancels a stored task. */
  async cancel(id: string): Promise<boolean> {
    const row = rowOf(id);
    return row !== null && (await this.records.cancel(row)) !== null;
  }

  /** Whether a task with that name and key is stored. */
  async hasKey(name: string, key: string): Promise<boolean> {
    return (await this.keyed.get(name, key)) !== undefined;
  }

  /** Lists stored tasks. */
  async list(filter: Parameters<TaskRecords['list']>[0], page: TaskPage): Promise<TaskList> {
    const { total, tasks } = await this.records.list(filter, page);
    return { total, tasks: tasks.map(named) };
  }

  /**
   * Sends all waiting tasks, oldest first, including those left behind by a crashed process without Redis.
   *
   * @param send resolves when Redis has the task
   * @param undo removes it again, because it was cancelled meanwhile
   */
  async sendAll(
    send: (task: AddedTask, job: string, addedAt: Date) => Promise<unknown>,
    undo: (id: string) => Promise<unknown>,
  ): Promise<void> {
    await this.claims.reclaimCrashed();
    for (let last = 0; ;) {
      const rows = await this.waiting.all(last);
      for (const { id, runAt, ready, addedAt, ...task } of rows) {
        const job = `${MARK}${id}`;
        await send({ ...task, runAt: ready ? null : fromSqlTime(runAt) }, job, fromSqlTime(addedAt));
        const { affected } = await this.remove.run(id);
        if (affected === 0 && (await this.records.find(id))?.state === 'cancelled') await undo(idOf(task.name, job));
        last = id;
      }
      if (rows.length < BATCH) return;
    }
  }
}

function rowOf(id: string): number | null {
  const row = ROW_ID.exec(id)?.[1];
  return row === undefined ? null : Number(row);
}

const named = (task: TaskView): TaskView => ({ ...task, id: idOf(task.name, `${MARK}${task.id}`) });
