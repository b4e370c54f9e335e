import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor } from '../common/index.js';

import { Database } from './database.js';

const log = loggerFor('generations');

/** Poll interval in milliseconds; changes reach all processes within two seconds. */
const POLL_INTERVAL_MS = 1_000;

interface Follower {
  seen: number;
  busy: boolean;
  readonly changed: () => Promise<void>;
}

/** Counters that all processes poll: whoever changes the data behind one increments it, and all other processes reload that data. */
@Injectable()
export class Generations implements BeforeApplicationShutdown {
  private readonly followers = new Map<string, Follower>();
  private timer: NodeJS.Timeout | null = null;
  private readonly select;
  private readonly raise;
  private readonly create;

  constructor(database: Database) {
    this.select = database.statement<{ name: string; value: number }>(
      'SELECT {Generation.name} AS name, {Generation.value} AS value FROM {Generation}',
    );
    this.raise = database.statement('UPDATE {Generation} SET {Generation.value} = {Generation.value} + 1 WHERE {Generation.name} = ?');
    this.create = database.statement(`${database.insertIgnore} {Generation} ({Generation.name}, {Generation.value}) VALUES (?, 0)`);
  }

  /** Increments a generation; inside a transaction it takes effect at the commit. Followers of this process are not notified. */
  async bump(name: string): Promise<void> {
    await this.create.run(name);
    await this.raise.run(name);
  }

  /** Marks the current value as seen, because the process that incremented it already has the new data. */
  async catchUp(name: string): Promise<void> {
    const follower = this.followers.get(name);
    if (follower) follower.seen = await this.current(name);
  }

  /** Whether this process has not yet followed the latest change; its follower may still be running or waiting. */
  async isBehind(name: string): Promise<boolean> {
    const follower = this.followers.get(name);
    return follower !== undefined && (follower.busy || follower.seen !== (await this.current(name)));
  }

  /** Calls `changed` whenever another process incremented the generation; calls do not overlap. */
  async follow(name: string, changed: () => Promise<void>): Promise<void> {
    this.followers.set(name, { seen: await this.current(name), busy: false, changed });
    this.timer ??= setInterval(() => void this.poll(), POLL_INTERVAL_MS).unref();
  }

  beforeApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async current(name: string): Promise<number> {
    return Number((await this.select.all()).find((row) => row.name === name)?.value ?? 0);
  }

  private async poll(): Promise<void> {
    try {
      for (const row of await this.select.all()) {
        const follower = this.followers.get(row.name);
        if (follower && !follower.busy && Number(row.value) !== follower.seen) void this.notify(follower, Number(row.value));
      }
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'reading the generations failed');
    }
  }

  private async notify(follower: Follower, value: number): Promise<void> {
    follower.busy = true;
    follower.seen = value;
    try {
      await follower.changed();
    } catch (error) {
      // Marked as not seen, so that the next poll retries.
      follower.seen = -1;
      log.error({ err: error }, 'reloading after a change failed');
    } finally {
      follower.busy = false;
    }
  }
}
