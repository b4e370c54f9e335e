import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { AccountSide } from './sign-in-side.js';

import { SignInStep } from './entities/index.js';

/** Time limit for the code, in milliseconds. */
const STEP_MS = 5 * 60_000;
/** Wrong codes after which the password is required again. */
const MAX_FAILURES = 5;

/** Sign-ins between password and second factor. */
@Injectable()
export class SignInSteps {
  private readonly fail;
  private readonly take;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.fail = database.statement(
      `UPDATE {SignInStep} SET {SignInStep.failures} = {SignInStep.failures} + 1 WHERE {SignInStep.id} = ?
        AND {SignInStep.failures} < ${MAX_FAILURES}`,
    );
    this.take = database.statement('DELETE FROM {SignInStep} WHERE {SignInStep.id} = ?');
    this.sweep = database.statement('DELETE FROM {SignInStep} WHERE {SignInStep.expiresAt} <= ?');
  }

  /** Records that the password was verified. @returns the token to send with the code */
  async open(side: AccountSide, account: { id: number; username: string; passwordHash: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.database.repository(SignInStep).insert({
      tokenHash: hash('sha256', token, 'hex'),
      side,
      accountId: account.id,
      username: account.username,
      passwordHash: account.passwordHash,
      failures: 0,
      expiresAt: new Date(this.clock.now().getTime() + STEP_MS),
    });
    return token;
  }

  /** Returns the step of a token; null if it has expired. */
  async find(side: AccountSide, token: string): Promise<SignInStep | null> {
    const step = await this.database.repository(SignInStep).findOneBy({ tokenHash: hash('sha256', token, 'hex'), side });
    return step && step.failures < MAX_FAILURES && step.expiresAt > this.clock.now() ? step : null;
  }

  /** Counts a code before it is verified, so that concurrent attempts cannot exceed the limit. @returns false if the limit is exceeded */
  async count(id: number): Promise<boolean> {
    return (await this.fail.run(id)).affected === 1;
  }

  /** Consumes the step. @returns false if it was consumed already */
  async finish(id: number): Promise<boolean> {
    return (await this.take.run(id)).affected === 1;
  }

  /** Removes expired steps; run by the cron tick. */
  @Job({ name: 'sign-in-steps', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}
