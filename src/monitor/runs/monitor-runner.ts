import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { loggerFor, waitAtMost } from '../../common/index.js';
import { Checks } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';

import { BATCH, DueMonitors } from './due-monitors.js';
import type { FinishedCheck } from './finished-check.js';
import { MaintenanceWindows } from './maintenance-windows.js';
import { Outcomes } from './outcomes.js';

const log = loggerFor('monitor');

/** Maximum number of concurrent checks per process. */
export const MAX_CONCURRENT = 500;
/** Polling interval for due monitors, in milliseconds. */
const POLL_EVERY_MS = 500;
/** How long results are collected before they are written as a batch, in milliseconds. */
const WRITE_AFTER = 200;
/** Delay after a database error, in milliseconds. */
const AFTER_FAILURE = 5_000;
/** How long a shutdown waits for running checks, in milliseconds; longer ones are repeated by another process. */
const SHUTDOWN_WAIT = 5_000;

/**
 * Runs due checks in every process with `worker` in `SERVICES`. Each process claims as many as it has free slots for, in batches, so that
 * any number of processes run each check once and only running checks are held in memory.
 */
@Injectable()
export class MonitorRunner implements OnModuleDestroy {
  private readonly ending = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private finished: FinishedCheck[] = [];
  private loop: Promise<void> | null = null;
  private writeSoon = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly due: DueMonitors,
    private readonly windows: MaintenanceWindows,
    private readonly checks: Checks,
    private readonly outcomes: Outcomes,
  ) {}

  /** Starts the loop, which ends with the application. */
  start(): void {
    this.loop ??= this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.loop;
    await waitAtMost(Promise.all(this.underWay), SHUTDOWN_WAIT);
    await this.writeAll();
  }

  private async work(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        // Backpressure: no new checks while results cannot be written fast enough.
        if (this.finished.length >= MAX_CONCURRENT) await this.writing;
        const slots = Math.min(BATCH, MAX_CONCURRENT - this.underWay.size);
        const more = slots <= 0 || (await this.claim(slots));
        // Continues as soon as a slot is free if more monitors are due.
        if (more && this.underWay.size >= MAX_CONCURRENT) await Promise.race(this.underWay);
        else if (!more) await this.sleep(POLL_EVERY_MS);
      } catch (error) {
        log.error({ err: error }, 'due monitors could not be read; retrying in a few seconds');
        await this.sleep(AFTER_FAILURE);
      }
    }
  }

  /** @returns whether more may be due */
  private async claim(max: number): Promise<boolean> {
    await this.windows.refresh();
    const { tasks, more } = await this.due.claim(max);
    for (const task of tasks) {
      const running = this.check(task).finally(() => this.underWay.delete(running));
      this.underWay.add(running);
    }
    return more;
  }

  private async check(task: MonitorTask): Promise<void> {
    const outcome = this.windows.isResting(task) ? 'resting' : await this.checks.run(task);
    this.finished.push({ task, outcome });
    if (this.finished.length >= BATCH) return void this.writeAll();
    if (this.writeSoon) return;
    this.writeSoon = true;
    void this.sleep(WRITE_AFTER).then(() => {
      this.writeSoon = false;
      return this.writeAll();
    });
  }

  /** Writes one batch at a time. */
  private writeAll(): Promise<void> {
    this.writing = this.writing.then(() => this.writeFinished());
    return this.writing;
  }

  private async writeFinished(): Promise<void> {
    while (this.finished.length > 0) {
      const batch = this.finished.splice(0, BATCH);
      await this.write(batch);
    }
  }

  /** Writes a batch; on an error each result separately, so that a bad one does not block the others. */
  private async write(batch: readonly FinishedCheck[]): Promise<void> {
    try {
      await this.outcomes.write(batch);
    } catch (error) {
      if (batch.length > 1) {
        for (const check of batch) await this.write([check]);
        return;
      }
      // Its claim expires and the check is repeated.
      log.error({ err: error, monitor: batch[0]?.task.id }, 'the result of a check could not be stored');
    }
  }

  private async sleep(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.ending.signal, ref: false }).catch(() => undefined);
  }
}
