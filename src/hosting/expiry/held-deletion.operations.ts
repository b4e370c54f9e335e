import { Injectable } from '@nestjs/common';
import { IsISO8601, MaxLength } from 'class-validator';

import { BackgroundQueue, ClockWatch } from '../../jobs/index.js';
import { NoInput, Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DeletionCap } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';
import { IDLE_RUN_TASK } from '../idle/index.js';

import { EXPIRY_RUN_TASK } from './expiry-deletions.js';

/** Fields of `szqr`. */
export class ConfirmClockInput {
  /** The new time of the clock, as shown on the page; if the clock has jumped again since, the confirmation is rejected. */
  @Trimmed() @MaxLength(40) @IsISO8601({ strict: true }) dao!: string;
}

/** Lets an administrator release deletions that jobs hold back. */
@Injectable()
export class HeldDeletionOperations {
  constructor(
    private readonly cap: DeletionCap,
    private readonly watch: ClockWatch,
    private readonly queue: BackgroundQueue,
  ) {}

  /** Allows jobs to run the deletions held back today, and starts them immediately. */
  @Operation({
    side: 'admin',
    gn: 'zjscfx',
    auth: 'admin',
    input: NoInput,
    audit: 'hosting.audit_deletions_release',
    rate: 'write',
    secondProof: true,
  })
  async release(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    const { waiting, day, jump } = await this.cap.state();
    if (jump) throw new HostingError('CLOCK_JUMPED');
    if (!(await this.cap.release(ctx.admin?.username ?? 'admin')))
      return new SuccessReply('hosting.deletions_released_before', {}, { n: waiting });
    await this.restartJobs(day);
    return new SuccessReply('hosting.deletions_released', {}, { n: waiting });
  }

  /** Confirms the clock after a jump: jobs may delete again, up to the daily limit. @throws HostingError CLOCK_CONFIRMED */
  @Operation({
    side: 'admin',
    gn: 'szqr',
    auth: 'admin',
    input: ConfirmClockInput,
    audit: 'hosting.audit_clock_confirm',
    rate: 'write',
    secondProof: true,
  })
  async confirm({ dao }: ConfirmClockInput, ctx: CallContext): Promise<SuccessReply> {
    const to = new Date(dao);
    if (!(await this.watch.confirm({ from: to, to }, ctx.admin?.username ?? 'admin'))) throw new HostingError('CLOCK_CONFIRMED');
    await this.restartJobs(to.toISOString());
    return new SuccessReply('hosting.clock_confirmed');
  }

  private async restartJobs(key: string): Promise<void> {
    await this.queue.add(IDLE_RUN_TASK, {}, { key });
    await this.queue.add(EXPIRY_RUN_TASK, {}, { key });
  }
}
