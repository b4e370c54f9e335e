import { Injectable } from '@nestjs/common';
import { IsInt, IsNotEmpty, Max, Min } from 'class-validator';

import { localeOf, translate } from '../common/index.js';
import { DeadLetters, EventError, isWrittenOff, LISTENER_MEMORY_DAYS } from '../hooks/index.js';
import type { CallContext } from '../sdk/index.js';

import { WholeNumber } from './input-fields.js';
import { ListInput } from './list-input.js';
import { Operation } from './operation.js';
import { SuccessReply, ListReply } from './replies.js';

/** Names one dead letter. */
export class DeadLetterInput {
  /** Its `id` in the list. */
  @WholeNumber() @IsNotEmpty() @IsInt() @Min(1) @Max(2_147_483_647) id!: number;
}

/** A dead letter on the wire. */
interface DeadLetterLine {
  id: number;
  hook: string;
  listener: string;
  /** `core`, or the slug of the plugin. */
  owner: string;
  subject: string;
  attempts: number;
  error: string;
  /** ISO 8601, UTC. */
  date: string;
}

/** What the administrator does with events that could not be delivered. */
@Injectable()
export class DeadLetterOperations {
  constructor(private readonly deadLetters: DeadLetters) {}

  /** The undelivered events, latest first. */
  @Operation({ side: 'admin', gn: 'listsj', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list(input: ListInput, ctx: CallContext): Promise<ListReply<DeadLetterLine>> {
    const { total, rows } = await this.deadLetters.page({ page: input.page, limit: input.limit });
    return new ListReply(
      total,
      rows.map(({ id, hook, listener, owner, subject, attempts, error, diedAt }) => ({
        id,
        hook,
        listener,
        owner,
        subject,
        attempts,
        error: isWrittenOff(error) ? translate(localeOf(ctx.locale), error, { plugin: owner, days: LISTENER_MEMORY_DAYS }) : error,
        date: diedAt.toISOString(),
      })),
    );
  }

  /** Delivers one again. @throws EventError `DEAD_LETTER_NOT_FOUND`, `DEAD_LETTER_UNHEARD` */
  @Operation({ side: 'admin', gn: 'sjcs', auth: 'admin', input: DeadLetterInput, audit: 'events.audit_dead_letter_sent', rate: 'write' })
  async retry({ id }: DeadLetterInput): Promise<SuccessReply> {
    if (!(await this.deadLetters.retry(id))) {
      throw new EventError((await this.deadLetters.has(id)) ? 'DEAD_LETTER_UNHEARD' : 'DEAD_LETTER_NOT_FOUND');
    }
    return new SuccessReply('events.dead_letter_sent');
  }

  /** Gives one up for good. @throws EventError `DEAD_LETTER_NOT_FOUND` */
  @Operation({
    side: 'admin',
    gn: 'sjhl',
    auth: 'admin',
    input: DeadLetterInput,
    audit: 'events.audit_dead_letter_discarded',
    rate: 'write',
  })
  async discard({ id }: DeadLetterInput): Promise<SuccessReply> {
    if (!(await this.deadLetters.discard(id))) throw new EventError('DEAD_LETTER_NOT_FOUND');
    return new SuccessReply('events.dead_letter_discarded');
  }
}
