import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { AccountSide } from './sign-in-side.js';

import { SignInStep } from './entities/index.js';

/** How long the code may take, in milliseconds. */
const STEP_MS = 5 * 60_000;
/** Wrong codes after which the password is asked for again. */
const MAX_FAILURES = 5;

/** Sign-ins between the password and the second factor. */
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

  /** Notes that somebody has shown his password. @returns what he shows with the code */
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

  /** The step a token is of; null where it is over. */
  async find(side: AccountSide, token: string): Promise<SignInStep | null> {
    const step = await this.database.repository(SignInStep).findOneBy({ tokenHash: hash('sha256', token, 'hex'), side });
    return step && step.failures < MAX_FAILURES && step.expiresAt > this.clock.now() ? step : null;
  }

  /** Counts a code before it is looked at: of many at once no more than the limit are. @returns false where there were too many */
  async count(id: number): Promise<boolean> {
    return (await this.fail.run(id)).affected === 1;
  }

  /** Uses the step up. @returns false where somebody else did */
  async finish(id: number): Promise<boolean> {
    return (await this.take.run(id)).affected === 1;
  }

  /** Removes those that are over; for the cron tick. */
  @Job({ name: 'sign-in-steps', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}
