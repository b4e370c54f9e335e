import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, translate, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ListReply, Operation, RawReply, SuccessReply, readIdList } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Notice } from '../entities/index.js';
import { NotifyError } from '../errors.js';
import { NoticeTexts } from '../templates/index.js';

import { Inbox, type InboxOwner } from './inbox.js';
import { LegacyNoticeListInput, NoticeIdsInput, NoticeListInput } from './notice-inputs.js';

/** Operations on the caller's own notices, on both sides. Source: docs/panel-api.md "Notices". */
@Injectable()
export class OwnNoticeOperations {
  constructor(
    private readonly inbox: Inbox,
    private readonly texts: NoticeTexts,
    private readonly config: AppConfig,
  ) {}

  /** Response format of deployed user front ends. */
  @Operation({ side: 'user', gn: 'notice_list', auth: 'user', input: LegacyNoticeListInput, audit: null, rate: 'read' })
  async legacyList({ type, level, read, keyword, page, page_size }: LegacyNoticeListInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    const { total, rows } = await this.inbox.page(
      { kind: type, level, isRead: read, text: keyword },
      { owner: ownerOf(ctx), offset: (page - 1) * page_size, limit: page_size },
    );
    const logs = rows.map((row) => ({ ...this.lineOf(row, locale), is_read: String(row.isRead) }));
    const msg = { logs, total, page, page_size, total_pages: Math.max(1, Math.ceil(total / page_size)) };
    return new RawReply({ success: true, qk: 1, code: translate(locale, 'notify.read'), msg });
  }

  @Operation({ side: 'admin', gn: 'listwdtz', auth: 'admin', input: NoticeListInput, audit: null, rate: 'read', own: true })
  listOfAdmin(input: NoticeListInput, ctx: CallContext): Promise<ListReply> {
    return this.list(input, ctx);
  }

  @Operation({ side: 'user', gn: 'listwdtz', auth: 'user', input: NoticeListInput, audit: null, rate: 'read' })
  listOfUser(input: NoticeListInput, ctx: CallContext): Promise<ListReply> {
    return this.list(input, ctx);
  }

  @Operation({ side: 'admin', gn: 'notice_read', auth: 'admin', input: NoticeIdsInput, audit: null, rate: 'write', own: true })
  readOfAdmin(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    return this.markRead(input, ctx);
  }

  @Operation({ side: 'user', gn: 'notice_read', auth: 'user', input: NoticeIdsInput, audit: null, rate: 'write' })
  readOfUser(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    return this.markRead(input, ctx);
  }

  @Operation({
    side: 'admin',
    gn: 'notice_sc',
    auth: 'admin',
    input: NoticeIdsInput,
    audit: 'notify.audit_deleted',
    rate: 'write',
    own: true,
  })
  removeOfAdmin(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove(input, ctx);
  }

  @Operation({ side: 'user', gn: 'notice_sc', auth: 'user', input: NoticeIdsInput, audit: 'notify.audit_deleted', rate: 'write' })
  removeOfUser(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove(input, ctx);
  }

  private async list({ type, level, is_read, ss, page, limit }: NoticeListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.inbox.page(
      { kind: type, level, isRead: is_read, text: ss },
      { owner: ownerOf(ctx), offset: (page - 1) * limit, limit },
    );
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      rows.map((row) => ({
        ...this.lineOf(row, locale),
        lxmc: translate(locale, `notify.kind.${row.kind}`),
        is_read: row.isRead,
        link: row.link,
      })),
    );
  }

  private async markRead(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    const ids = idsOf(input);
    const found = await this.inbox.markRead(ownerOf(ctx), ids);
    if (ids && found === 0) throw new NotifyError('NOTICE_MISSING');
    return new SuccessReply('notify.done');
  }

  private async remove(input: NoticeIdsInput, ctx: CallContext): Promise<SuccessReply> {
    const ids = idsOf(input);
    if (!ids) throw new NotifyError('NOTHING_CHOSEN');
    const n = await this.inbox.remove(ids, ownerOf(ctx));
    if (n === 0) throw new NotifyError('NOTICE_MISSING');
    return new SuccessReply('notify.deleted', {}, { n });
  }

  private lineOf(row: Notice, locale: Locale) {
    return {
      id: row.id,
      user: row.username,
      type: row.kind,
      level: row.level,
      ...this.texts.of(row, locale),
      created_at: legacyTime(row.createdAt, this.config.timezone),
    };
  }
}

/** Returns the caller as inbox owner. */
function ownerOf({ admin, user }: CallContext): InboxOwner {
  return admin ? { side: 'admin', accountId: admin.id } : { side: 'user', accountId: user!.id };
}

/** Returns the selected ids; undefined for all. @throws NotifyError for an invalid list */
export function idsOf({ id, idsz }: NoticeIdsInput): readonly number[] | undefined {
  if (idsz === undefined) return id ? [id] : undefined;
  const { ids, invalid } = readIdList(idsz);
  if (invalid.length > 0 || ids.length === 0 || ids.length > 500) throw new NotifyError('IDS_WRONG');
  return ids;
}
