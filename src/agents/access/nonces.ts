import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { NONCE_SECONDS } from '../wire/index.js';

/** Rows per DELETE, so that other writers do not wait long. */
const BATCH = 2_000;

/** Stores used nonces to detect replays. */
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

  /** Marks a nonce as used. @returns false if it was used before; decided by the insert, so it is safe across processes */
  async use(nodeId: string, nonce: string): Promise<boolean> {
    const expiresAt = new Date(this.clock.now().getTime() + NONCE_SECONDS * 1_000);
    return (await this.insert.run(nodeId, nonce, expiresAt)).affected === 1;
  }

  /** Removes nonces that are too old for a valid request. @returns how many */
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
