import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

import { legacyTime, localeOf, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ListReply, OneOf, Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { NotifyError } from '../errors.js';
import { NOTICE_KINDS, NOTICE_LEVELS, type NoticeKind, type NoticeLevel } from '../notice.js';
import { NoticeTexts } from '../templates/index.js';

import { Inbox } from './inbox.js';
import { Mailing } from './mailing.js';
import { NoticeIdsInput, SentListInput } from './notice-inputs.js';
import { idsOf } from './own-notice.operations.js';

class SendInput {
  /** Recipients: all users, those of a server, or accounts by name. */
  @OneOf(['all', 'node', 'user']) to!: 'all' | 'node' | 'user';
  /** Code of the server, with `node`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) btdh = '';
  /** Names separated by commas or lines, with `user`. */
  @IsOptional() @IsString() @MaxLength(40_000) user = '';
  @IsOptional() @OneOf(NOTICE_KINDS) type: NoticeKind = 'system';
  @IsOptional() @OneOf(NOTICE_LEVELS) level: NoticeLevel = 'info';
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(250) title!: string;
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(8_000) content!: string;
}

/** Administrators' operations on notices to users. Source: docs/panel-api.md "Notices". */
@Injectable()
export class SentNoticeOperations {
  constructor(
    private readonly inbox: Inbox,
    private readonly texts: NoticeTexts,
    private readonly mailing: Mailing,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listtz', auth: 'admin', input: SentListInput, audit: null, rate: 'read' })
  async list({ user, type, level, is_read, ss, page, limit }: SentListInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const { total, rows } = await this.inbox.page(
      { kind: type, level, isRead: is_read, text: ss, username: user },
      { owner: null, side: 'user', offset: (page - 1) * limit, limit },
    );
    return new ListReply(
      total,
      rows.map((row) => ({
        id: row.id,
        user: row.username,
        type: row.kind,
        lxmc: translate(locale, `notify.kind.${row.kind}`),
        level: row.level,
        ...this.texts.of(row, locale),
        is_read: row.isRead,
        created_at: legacyTime(row.createdAt, this.config.timezone),
      })),
    );
  }

  /** Sends to all present accounts; later ones do not get it. */
  @Operation({ side: 'admin', gn: 'tzfs', auth: 'admin', input: SendInput, audit: 'notify.audit_sent', rate: 'expensive' })
  async send({ to, btdh, user, type, level, title, content }: SendInput): Promise<SuccessReply> {
    const notice = { kind: type, level, key: `sent:${randomUUID()}`, link: '', says: { title, content } } as const;
    const n = to === 'user' ? await this.mailing.toNames(namesOf(user), notice) : await this.mailing.toAll(serverOf(to, btdh), notice);
    return new SuccessReply('notify.sent', { n }, { n });
  }

  /** Removes notices from users' inboxes. */
  @Operation({ side: 'admin', gn: 'tzsc', auth: 'admin', input: NoticeIdsInput, audit: 'notify.audit_taken_back', rate: 'write' })
  async remove(input: NoticeIdsInput): Promise<SuccessReply> {
    const ids = idsOf(input);
    if (!ids) throw new NotifyError('NOTHING_CHOSEN');
    const n = await this.inbox.remove(ids);
    if (n === 0) throw new NotifyError('NOTICE_MISSING');
    return new SuccessReply('notify.deleted', {}, { n });
  }
}

function serverOf(to: 'all' | 'node', server: string): { server?: string } {
  if (to === 'all') return {};
  if (server === '') throw new NotifyError('SERVER_NEEDED', {}, { btdh: 'notify.server_needed' });
  return { server };
}

function namesOf(text: string): string[] {
  const names = [...new Set(text.split(/[\s,，;；]+/).filter((name) => name !== ''))];
  if (names.length === 0) throw new NotifyError('NAMES_NEEDED', {}, { user: 'notify.names_needed' });
  if (names.length > 500) throw new NotifyError('NAMES_MANY', {}, { user: 'notify.names_many' });
  return names;
}
