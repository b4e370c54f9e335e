import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';

import { Clock, errorMessage, loggerFor } from '../common/index.js';
import { Database, Generations } from '../database/index.js';

import { Restored } from './restored.entity.js';

const log = loggerFor('quiet');
/** Generation counter by which all processes notice whether the installation is on hold. */
const GENERATION = 'quiet';

/**
 * Whether the installation is on hold: after a restore no background work runs until an administrator has reviewed the differences. It
 * would suspend accounts renewed since the backup, deliver events a second time, and make servers undo recent changes. Requests of users
 * and payments are still processed.
 */
@Injectable()
export class Quiet {
  private held = false;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly clock: Clock,
  ) {}

  /** Loads the current state, and follows changes by other processes. */
  async start(): Promise<void> {
    this.held = (await this.current()) !== null;
    if (this.held)
      log.warn('this installation was restored from a backup and does nothing automatically until it is released in the admin panel');
    await this.generations.follow(GENERATION, async () => this.follow());
  }

  /** Whether background work must not run now. */
  get active(): boolean {
    return this.held;
  }

  /** Runs `begin` now, or once the installation is released. */
  whenReleased(begin: () => void): void {
    if (this.held) this.waiting.push(begin);
    else begin();
  }

  /** Returns the restore that put the installation on hold; null if there is none. */
  current(): Promise<Restored | null> {
    return this.database.repository(Restored).findOne({ where: { releasedAt: IsNull() }, order: { id: 'DESC' } });
  }

  /** Releases the installation, in every process within two seconds. @returns whether it was on hold */
  async release(by: string): Promise<boolean> {
    const released = await this.database.transaction(async () => {
      const { affected } = await this.database
        .repository(Restored)
        .update({ releasedAt: IsNull() }, { releasedAt: this.clock.now(), releasedBy: by.slice(0, 64) });
      if (affected) await this.generations.bump(GENERATION);
      return (affected ?? 0) > 0;
    });
    await this.follow();
    return released;
  }

  private async follow(): Promise<void> {
    this.held = (await this.current()) !== null;
    if (this.held) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const begin of waiting) {
      try {
        begin();
      } catch (error) {
        log.error({ reason: errorMessage(error), err: error }, 'starting after the hold failed');
      }
    }
  }
}
