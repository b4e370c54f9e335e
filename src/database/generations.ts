import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor } from '../common/index.js';

import { Database } from './database.js';

const log = loggerFor('generations');

/** How often a process looks, in milliseconds: a change is everywhere within two seconds. */
const POLL_INTERVAL_MS = 1_000;

interface Follower {
  seen: number;
  busy: boolean;
  readonly changed: () => Promise<void>;
}

/** Numbers every process follows: whoever changes what one stands for raises it, and all others read that again. */
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

  /** Raises a generation; in a transaction it counts from the commit on. Followers of this process are not told. */
  async bump(name: string): Promise<void> {
    await this.create.run(name);
    await this.raise.run(name);
  }

  /** Takes the present value as seen: whoever raised it has done already what the others still have to. */
  async catchUp(name: string): Promise<void> {
    const follower = this.followers.get(name);
    if (follower) follower.seen = await this.current(name);
  }

  /** Whether somebody raised the generation and this process has not followed yet, or is about to: its follower may wait for a turn. */
  async isBehind(name: string): Promise<boolean> {
    const follower = this.followers.get(name);
    return follower !== undefined && (follower.busy || follower.seen !== (await this.current(name)));
  }

  /** Calls `changed` whenever somebody else raised the generation. One call at a time. */
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
        if (follower && !follower.busy && Number(row.value) !== follower.seen) void this.tell(follower, Number(row.value));
      }
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the generations could not be read');
    }
  }

  private async tell(follower: Follower, value: number): Promise<void> {
    follower.busy = true;
    follower.seen = value;
    try {
      await follower.changed();
    } catch (error) {
      // Not seen: the next look tries again.
      follower.seen = -1;
      log.error({ err: error }, 'following a change failed');
    } finally {
      follower.busy = false;
    }
  }
}
