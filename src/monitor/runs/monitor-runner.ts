import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { loggerFor, settleWithin } from '../../common/index.js';
import { Checks } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';

import { BATCH, DueMonitors } from './due-monitors.js';
import type { FinishedCheck } from './finished-check.js';
import { MaintenanceWindows } from './maintenance-windows.js';
import { Outcomes } from './outcomes.js';

const log = loggerFor('monitor');

/** Most checks under way in one process. */
export const MOST_AT_ONCE = 500;
/** How often a process looks for what is due, in milliseconds. */
const LOOK_EVERY = 500;
/** How long what was found waits for others to be written down with, in milliseconds. */
const WRITE_AFTER = 200;
/** How long a process that found the database away waits, in milliseconds. */
const AFTER_FAILURE = 5_000;
/** How long a shutdown waits for checks under way, in milliseconds; what takes longer is done by somebody else. */
const SHUTDOWN_WAIT = 5_000;

/**
 * Runs checks when they are due, in every process that has `worker` in `SERVICES`: each claims what it has places for, in batches, so that
 * one process or ten do the same work once, and nothing is kept in memory but what is under way.
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

  /** Begins; ends with the application. */
  start(): void {
    this.loop ??= this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.loop;
    await settleWithin(Promise.all(this.underWay), SHUTDOWN_WAIT);
    await this.writeAll();
  }

  private async work(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        // What cannot be written down as fast as it is found is not looked for: memory stays what it is.
        if (this.finished.length >= MOST_AT_ONCE) await this.writing;
        const places = Math.min(BATCH, MOST_AT_ONCE - this.underWay.size);
        const more = places <= 0 || (await this.claim(places));
        // As soon as there is a place again where more is due.
        if (more && this.underWay.size >= MOST_AT_ONCE) await Promise.race(this.underWay);
        else if (!more) await this.sleep(LOOK_EVERY);
      } catch (error) {
        log.error({ err: error }, 'due monitors could not be read: tried again in a few seconds');
        await this.sleep(AFTER_FAILURE);
      }
    }
  }

  /** @returns whether more may be due */
  private async claim(most: number): Promise<boolean> {
    await this.windows.refresh();
    const { tasks, more } = await this.due.claim(most);
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

  /** One batch after the other. */
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

  /** Together; where that fails each by itself, so that one that cannot be written down keeps nobody else's. */
  private async write(batch: readonly FinishedCheck[]): Promise<void> {
    try {
      await this.outcomes.write(batch);
    } catch (error) {
      if (batch.length > 1) {
        for (const check of batch) await this.write([check]);
        return;
      }
      // Its claim runs out, and it is looked at again.
      log.error({ err: error, monitor: batch[0]?.task.id }, 'what a monitor found could not be written down');
    }
  }

  private async sleep(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.ending.signal, ref: false }).catch(() => undefined);
  }
}
