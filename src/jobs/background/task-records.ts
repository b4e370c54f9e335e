import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, type EntityRows, type SqlValue, type Statement } from '../../database/index.js';
import { Job } from '../job.js';

import type { AddedTask } from './added-task.js';
import type { TaskFilter, TaskList, TaskPage, TaskView } from './background-queue.js';
import { Task } from './task.entity.js';
import { TaskRegistry } from './task-registry.js';
import { TASKS_KEPT_MS } from './task-settings.js';

/** Rows deleted per statement, so that other writers do not wait long. */
const BATCH = 1_000;
/** How often an insert is tried whose key is freed and taken by other processes meanwhile. */
const INSERT_TRIES = 5;

/** Adds, queries and cancels tasks in the table. */
@Injectable()
export class TaskRecords {
  private readonly rows: EntityRows<Task>;
  private readonly insert;
  private readonly insertKeyed;
  private readonly open;
  private readonly one;
  private readonly endWaiting;
  private readonly requestStop;
  private readonly restart;
  private readonly old;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly handlers: TaskRegistry,
  ) {
    this.rows = database.entityRows(Task);
    const values = `{Task} ({Task.name}, {Task.key}, {Task.openKey}, {Task.payload}, {Task.priority}, {Task.by}, {Task.state}, {Task.ready},
        {Task.addedAt}, {Task.dueAt}) VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)`;
    this.insert = database.statement(`INSERT INTO ${values}`);
    this.insertKeyed = database.statement(`${database.insertIgnore} ${values}`);
    this.open = database.statement<{ id: number }>('SELECT {Task.id} AS id FROM {Task} WHERE {Task.name} = ? AND {Task.openKey} = ?');
    this.one = database.statement(`SELECT ${this.rows.columns} FROM {Task} WHERE {Task.id} = ?`);
    this.endWaiting = database.statement(
      `UPDATE {Task} SET {Task.state} = 'cancelled', {Task.ready} = 1, {Task.openKey} = NULL, {Task.dueAt} = ?, {Task.endedAt} = ?
       WHERE {Task.id} = ? AND {Task.state} = 'waiting'`,
    );
    this.requestStop = database.statement("UPDATE {Task} SET {Task.cancelAsked} = 1 WHERE {Task.id} = ? AND {Task.state} = 'running'");
    this.restart = database.statement(
      `UPDATE {Task} SET {Task.state} = 'waiting', {Task.ready} = 1, {Task.openKey} = {Task.key}, {Task.attempts} = 0, {Task.dueAt} = ?,
        {Task.endedAt} = NULL, {Task.error} = NULL, {Task.result} = NULL
       WHERE {Task.id} = ? AND {Task.state} IN ('failed', 'cancelled')`,
    );
    this.old = database.statement<{ id: number }>(
      `SELECT {Task.id} AS id FROM {Task} WHERE {Task.state} = ? AND {Task.ready} = 1 AND {Task.dueAt} < ? ORDER BY {Task.dueAt}
        LIMIT ${BATCH}`,
    );
  }

  /** Adds a task, unless an unfinished one has its key. @returns its id, or that of the existing one */
  async add(task: AddedTask): Promise<number> {
    const { name, key, payload, priority, by, runAt } = task;
    const now = this.clock.now();
    const later = runAt !== null && runAt > now;
    const values: SqlValue[] = [name, key, key, payload, priority, by, !later, now, later ? runAt : now];
    if (key === null) return (await this.insert.run(...values)).insertId;
    for (let attempt = 1; attempt <= INSERT_TRIES; attempt += 1) {
      const inserted = await this.insertKeyed.run(...values);
      if (inserted.affected > 0) return inserted.insertId;
      const there = await this.open.get(name, key);
      if (there) return there.id;
    }
    throw new Error(`The task "${name}" could not be added: other processes keep adding tasks with the same key. Try again.`);
  }

  /** Returns a task by id. */
  async find(id: number): Promise<TaskView | null> {
    const row = await this.one.get(id);
    return row ? this.view(row) : null;
  }

  /** Lists tasks, newest first. */
  async list({ state, name }: TaskFilter, { page, limit }: TaskPage): Promise<TaskList> {
    const conditions = [...(state ? ['{Task.state} = ?'] : []), ...(name ? ['{Task.name} = ?'] : [])];
    const values = [state, name].filter((value) => value !== undefined);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const count = this.database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM {Task} ${where}`);
    const select = this.database.statement(`SELECT ${this.rows.columns} FROM {Task} ${where} ORDER BY {Task.id} DESC LIMIT ? OFFSET ?`);
    const [total, rows] = await Promise.all([count.get(...values), select.all(...values, limit, (page - 1) * limit)]);
    return { total: Number(total?.total ?? 0), tasks: rows.map((row) => this.view(row)) };
  }

  /** Cancels a waiting task, or asks a running one to stop. @returns which of the two, null for neither */
  async cancel(id: number): Promise<'ended' | 'stopping' | null> {
    const now = this.clock.now();
    if ((await this.endWaiting.run(now, now, id)).affected === 1) return 'ended';
    if ((await this.requestStop.run(id)).affected === 1) return 'stopping';
    // It may have become `waiting` again between the two updates.
    return (await this.endWaiting.run(now, now, id)).affected === 1 ? 'ended' : null;
  }

  /** Runs a failed or cancelled task again. @throws Error of the database if an unfinished task has its key */
  async retry(id: number): Promise<boolean> {
    return (await this.restart.run(this.clock.now(), id)).affected === 1;
  }

  /** Deletes tasks finished more than seven days ago. @returns their number */
  @Job({ name: 'tasks', dailyAt: '04:20' })
  async removeOld(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - TASKS_KEPT_MS);
    let removed = 0;
    for (const state of ['done', 'failed', 'cancelled']) {
      for (;;) {
        const ids = (await this.old.all(state, before)).map(({ id }) => id);
        if (ids.length > 0) removed += (await this.removal(ids.length).run(state, ...ids)).affected;
        if (ids.length < BATCH) break;
      }
    }
    return removed;
  }

  private removal(count: number): Statement {
    const placeholders = Array.from({ length: count }, () => '?').join(', ');
    return this.database.statement(`DELETE FROM {Task} WHERE {Task.state} = ? AND {Task.id} IN (${placeholders})`);
  }

  private view(row: Record<string, unknown>): TaskView {
    const task = this.rows.read(row);
    return {
      id: String(task.id),
      name: task.name,
      state: task.state,
      key: task.key,
      payload: JSON.parse(task.payload) as unknown,
      priority: task.priority,
      by: task.by,
      attempts: task.attempts,
      addedAt: task.addedAt,
      dueAt: task.dueAt,
      startedAt: task.startedAt,
      endedAt: task.endedAt,
      stopping: task.state === 'running' && task.cancelAsked,
      progress: task.progressDone === null ? null : { done: task.progressDone, total: task.progressTotal ?? 0, note: task.progressNote },
      error: task.error,
      result: task.result === null ? null : (JSON.parse(task.result) as unknown),
      handled: this.handlers.find(task.name) !== undefined,
    };
  }
}
