import { Injectable } from '@nestjs/common';

import { Clock, packWords } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Notices } from '../../notify/index.js';
import type { CheckOutcome } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';
import { markUnknown, enterMaintenance, step, postponeAlarm, type MonitorStatus, type Transition } from '../states/monitor-states.js';

import type { FinishedCheck } from './finished-check.js';
import { nextRun } from './next-run.js';
import { OwnNetwork } from './own-network.js';
import { noticeOf } from './transition-notice.js';

/** Stores check results and sends the resulting notifications. */
@Injectable()
export class Outcomes {
  private readonly record;
  private readonly postpone;
  private readonly insert;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly notices: Notices,
    private readonly network: OwnNetwork,
  ) {
    const status = `{MonitorTask.state} = ?, {MonitorTask.stateSince} = ?, {MonitorTask.failCount} = ?, {MonitorTask.okCount} = ?,
      {MonitorTask.told} = ?, {MonitorTask.runsSinceTold} = ?, {MonitorTask.flips} = ?`;
    const free = `{MonitorTask.nextRunAt} = ?, {MonitorTask.claim} = NULL, {MonitorTask.claimedUntil} = NULL
      WHERE {MonitorTask.id} = ? AND {MonitorTask.claim} = ?`;
    this.record = database.statement(
      `UPDATE {MonitorTask} SET ${status}, {MonitorTask.lastRunAt} = ?, {MonitorTask.lastStatus} = ?, {MonitorTask.lastCode} = ?,
       {MonitorTask.lastMs} = ?, {MonitorTask.lastError} = ?, ${free}`,
    );
    this.postpone = database.statement(`UPDATE {MonitorTask} SET ${status}, ${free}`);
    this.insert = database.statement(
      `INSERT INTO {MonitorCheck} ({MonitorCheck.taskId}, {MonitorCheck.user}, {MonitorCheck.url}, {MonitorCheck.statusCode},
        {MonitorCheck.responseTime},
       {MonitorCheck.status}, {MonitorCheck.error}, {MonitorCheck.excerpt}, {MonitorCheck.notified}, {MonitorCheck.createdAt})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Stores several results. A result is discarded if its claim has passed to another process or the monitor was edited or deleted. */
  async write(checks: readonly FinishedCheck[]): Promise<void> {
    const holds = await this.network.holds(checks);
    await this.database.transaction(async () => {
      for (const check of checks) await this.writeOne(check, holds && this.network.concerns(check.task));
    });
  }

  private async writeOne({ task, outcome }: FinishedCheck, isHeld: boolean): Promise<void> {
    const now = this.clock.now();
    const before = statusOf(task);
    if (outcome === 'resting' || outcome === null) {
      const next = outcome === null ? before : enterMaintenance(before, now);
      await this.postpone.run(...valuesOf(next), nextRun(task, true, now), task.id, task.claim);
      return;
    }
    if (outcome.unknown) return this.writeUnknown(task, outcome, now);
    const found = step(before, outcome.ok, task, now);
    const { next, transition } = isHeld && found.transition === 'down' ? postponeAlarm(before, now) : found;
    const status = outcome.ok ? 'ok' : 'fail';
    const error = outcome.error && packWords(outcome.error);
    const { affected } = await this.record.run(
      ...valuesOf(next),
      now,
      status,
      outcome.code,
      outcome.ms,
      error,
      nextRun(task, outcome.ok, now),
      task.id,
      task.claim,
    );
    if (affected !== 1) return;
    await this.insert.run(task.id, task.user, task.url, outcome.code, outcome.ms, status, error, outcome.excerpt, transition !== null, now);
    if (transition) await this.notify(task, transition, next, outcome, now);
  }

  /** Not logged and therefore not counted in the uptime. Notified once per unknown period, because later notices have the same key. */
  private async writeUnknown(task: MonitorTask, outcome: CheckOutcome, now: Date): Promise<void> {
    const next = markUnknown(statusOf(task), now);
    const error = outcome.error && packWords(outcome.error);
    const { affected } = await this.record.run(
      ...valuesOf(next),
      now,
      null,
      null,
      null,
      error,
      nextRun(task, true, now),
      task.id,
      task.claim,
    );
    if (affected === 1 && outcome.unknown === 'told') await this.notify(task, 'unknown', next, outcome, now);
  }

  /** Part of the transaction, so that the notice and the state are stored together. */
  private async notify(
    task: MonitorTask,
    transition: Transition,
    { since }: MonitorStatus,
    outcome: CheckOutcome,
    now: Date,
  ): Promise<void> {
    await this.notices.send(noticeOf(task, transition, outcome, transition === 'still' ? now : (since ?? now)));
  }
}

const statusOf = (task: MonitorTask): MonitorStatus => ({
  state: task.state,
  since: task.stateSince,
  fails: task.failCount,
  oks: task.okCount,
  notified: task.told,
  failsSinceNotice: task.runsSinceTold,
  flips: task.flips,
});

const valuesOf = (status: MonitorStatus) =>
  [status.state, status.since, status.fails, status.oks, status.notified, status.failsSinceNotice, status.flips] as const;
