import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';

import { Clock, errorMessage, loggerFor } from '../common/index.js';
import { Database, Generations } from '../database/index.js';

import { Restored } from './restored.entity.js';

const log = loggerFor('quiet');
/** The generation every process follows to know whether the installation is held. */
const GENERATION = 'quiet';

/**
 * Whether the installation is held: after a backup was put back nothing is done by itself until an administrator has seen what differs. It
 * would pause accounts that were renewed since, deliver events a second time, and tell servers to undo what they have done. What people ask
 * for is done, and payments are taken.
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

  /** Looks whether it is held, and follows what other processes say from then on. */
  async start(): Promise<void> {
    this.held = (await this.current()) !== null;
    if (this.held) log.warn('this installation was restored from a backup and does nothing by itself until it is let go in the admin side');
    await this.generations.follow(GENERATION, async () => this.follow());
  }

  /** Whether nothing is to be done by itself now. */
  get active(): boolean {
    return this.held;
  }

  /** Runs `begin` now, or once the installation is let go. */
  whenReleased(begin: () => void): void {
    if (this.held) this.waiting.push(begin);
    else begin();
  }

  /** What was put back and is held; null where nothing is. */
  current(): Promise<Restored | null> {
    return this.database.repository(Restored).findOne({ where: { releasedAt: IsNull() }, order: { id: 'DESC' } });
  }

  /** Lets the installation go, in every process within two seconds. @returns whether it was held */
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
        log.error({ reason: errorMessage(error), err: error }, 'what was held could not begin');
      }
    }
  }
}
