import { Injectable } from '@nestjs/common';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

import { CORE_OWNER, legacyTime, type Locale, localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { type DeadLetter, DeadLetters, EventError, isWrittenOff, LISTENER_MEMORY_DAYS } from '../hooks/index.js';
import type { CallContext } from '../sdk/index.js';

import { readIdList } from './id-list.js';
import { RowId } from './input-fields.js';
import { ListInput } from './list-input.js';
import { Operation } from './operation.js';
import { SuccessReply, ListReply } from './answers/replies.js';

/** Names one dead letter. */
export class DeadLetterInput {
  /** Its `id` in the list. */
  @IsNotEmpty() @RowId() id!: number;
}

/** Names several dead letters. */
export class DeadLettersInput {
  /** A JSON array or comma-separated list; at most 500 ids. */
  @IsString() @MaxLength(8_000) idsz!: string;
}

/** Maximum ids per call. */
const MAX_PER_CALL = 500;

/** A dead letter in the answer. */
interface DeadLetterLine {
  id: number;
  hook: string;
  /** Readable description of `hook`. */
  hook_text: string;
  listener: string;
  /** Readable description of the listener. */
  listener_text: string;
  /** `core`, or the slug of the plugin. */
  owner: string;
  subject: string;
  attempts: number;
  error: string;
  /** `YYYY-MM-DD HH:mm:ss` in the zone of the installation. */
  date: string;
}

/** Operations on dead letters: list undelivered events, retry them, discard them. */
@Injectable()
export class DeadLetterOperations {
  constructor(
    private readonly deadLetters: DeadLetters,
    private readonly config: AppConfig,
  ) {}

  /** Lists undelivered events, latest first. */
  @Operation({ side: 'admin', gn: 'listsj', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list(input: ListInput, ctx: CallContext): Promise<ListReply<DeadLetterLine>> {
    const { total, rows } = await this.deadLetters.page({ page: input.page, limit: input.limit, text: input.ss });
    return new ListReply(
      total,
      rows.map((row) => this.lineOf(row, row.diedAt, ctx)),
    );
  }

  /** Lists pending events, waiting for their first attempt, a retry, or a disabled plugin. The next due comes first. */
  @Operation({ side: 'admin', gn: 'listsjdd', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async listWaiting(input: ListInput, ctx: CallContext): Promise<ListReply<DeadLetterLine>> {
    const { total, rows } = await this.deadLetters.waitingPage({ page: input.page, limit: input.limit, text: input.ss });
    return new ListReply(
      total,
      rows.map((row) => this.lineOf(row, row.dueAt, ctx)),
    );
  }

  /**
   * Retries several dead letters; ids that are no longer dead letters are skipped. @throws EventError `DEAD_LETTERS_NONE` if none was left
   */
  @Operation({
    side: 'admin',
    gn: 'sjcsxz',
    auth: 'admin',
    input: DeadLettersInput,
    audit: 'events.audit_dead_letters_sent',
    rate: 'write',
  })
  async retryMany({ idsz }: DeadLettersInput): Promise<SuccessReply> {
    let n = 0;
    for (const id of readIdList(idsz).ids.slice(0, MAX_PER_CALL)) n += Number(await this.deadLetters.retry(id));
    if (n === 0) throw new EventError('DEAD_LETTERS_NONE');
    return new SuccessReply('events.dead_letters_sent', { n }, { n });
  }

  /** Retries a dead letter, or a pending event immediately. @throws EventError `DEAD_LETTER_NOT_FOUND`, `DEAD_LETTER_UNHEARD` */
  @Operation({ side: 'admin', gn: 'sjcs', auth: 'admin', input: DeadLetterInput, audit: 'events.audit_dead_letter_sent', rate: 'write' })
  async retry({ id }: DeadLetterInput): Promise<SuccessReply> {
    if (!(await this.deadLetters.retry(id)) && !(await this.deadLetters.tryNow(id))) {
      throw new EventError((await this.deadLetters.has(id)) ? 'DEAD_LETTER_UNHEARD' : 'DEAD_LETTER_NOT_FOUND');
    }
    return new SuccessReply('events.dead_letter_sent');
  }

  /** Discards a dead letter permanently. @throws EventError `DEAD_LETTER_NOT_FOUND` */
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

  private lineOf(
    { id, hook, listener, listenerId, owner, subject, attempts, error }: Omit<DeadLetter, 'diedAt'>,
    at: Date,
    ctx: CallContext,
  ): DeadLetterLine {
    const locale = localeOf(ctx.locale);
    return {
      id,
      hook,
      hook_text: translate(locale, `events.happened.${hook}`),
      listener,
      listener_text: listenerText(listenerId, owner, locale),
      owner,
      subject,
      attempts,
      error: isWrittenOff(error) ? translate(locale, error, { plugin: owner, days: LISTENER_MEMORY_DAYS }) : error,
      date: legacyTime(at, this.config.timezone),
    };
  }
}

/** Describes the listener: a plugin, or the panel's own handler. @param id of the listener, such as `credit` */
function listenerText(id: string, owner: string, locale: Locale): string {
  if (owner !== CORE_OWNER) return translate(locale, 'events.heard_by_plugin', { slug: owner });
  const text = `events.panel.${id}`;
  const title = translate(locale, text);
  return title === text ? translate(locale, 'events.heard_by_panel') : title;
}
