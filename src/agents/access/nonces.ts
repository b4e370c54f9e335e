import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { NONCE_SECONDS } from '../wire/index.js';

/** Nonces removed by one statement: no writer waits long for it. */
const BATCH = 2_000;

/** What nodes have used once and may not use again. */
@Injectable()
export class Nonces {
  private readonly insert;
  private readonly remove;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `${database.insertIgnore} {NodeNonce} ({NodeNonce.nodeId}, {NodeNonce.nonce}, {NodeNonce.expiresAt}) VALUES (?, ?, ?)`,
    );
    this.remove = database.statement(`DELETE FROM {NodeNonce} WHERE {NodeNonce.expiresAt} < ? LIMIT ${BATCH}`);
  }

  /** Uses one up. @returns false when it was used before: the insert itself decides, in any number of processes */
  async use(nodeId: string, nonce: string): Promise<boolean> {
    const expiresAt = new Date(this.clock.now().getTime() + NONCE_SECONDS * 1_000);
    return (await this.insert.run(nodeId, nonce, expiresAt)).affected === 1;
  }

  /** Removes those no request could be valid with any more. @returns how many */
  @Job({ name: 'node-nonces', everyMinutes: 1 })
  async removeExpired(): Promise<number> {
    const now = this.clock.now();
    for (let removed = 0; ;) {
      const { affected } = await this.remove.run(now);
      removed += affected;
      if (affected < BATCH) return removed;
      await nextTurn();
    }
  }
}
