import { Injectable } from '@nestjs/common';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';

import { isDay, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { EmptyIsUnset, VersionField } from '../../http/index.js';
import { ListInput, ListReply, NoInput, OneOf, Operation, RowId, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { renderMarkdown } from '../../theme/index.js';
import { NotifyError } from '../errors.js';
import { NoticeIdsInput, idsOf } from '../inbox/index.js';

import { Announcements, announcementForm, announcementVersion, type AnnouncementText } from './announcements.js';

/** Validates a day `YYYY-MM-DD`; empty counts as unset. */
const Day = (): PropertyDecorator => (target, property) => {
  EmptyIsUnset()(target, property);
  ValidateBy(
    { name: 'isDay', validator: { validate: (value) => typeof value === 'string' && isDay(value) } },
    { message: 'notify.day_rule' },
  )(target, property);
};

class AnnouncementInput {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(250) title!: string;
  /** Markdown. */
  @IsString() @IsNotEmpty() @MaxLength(20_000) content!: string;
  @IsOptional() @OneOf(['info', 'warning', 'danger']) level: 'info' | 'warning' | 'danger' = 'info';
  /** Code of the server whose users see it; empty for all users. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) btdh = '';
  /** Whether its title is shown as a banner on every page. */
  @IsOptional() @Switch() @IsBoolean() hf = true;
  /** First day it is shown. */
  @IsOptional() @Day() datea?: string;
  /** Last day it is shown. */
  @IsOptional() @Day() dateb?: string;
}

class AnnouncementChange extends AnnouncementInput {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

/** Operations on announcements for users. Source: docs/panel-api.md "Notices". */
@Injectable()
export class AnnouncementOperations {
  constructor(
    private readonly announcements: Announcements,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'gglist', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput): Promise<ListReply> {
    const { total, rows } = await this.announcements.page((page - 1) * limit, limit);
    return new ListReply(
      total,
      rows.map((row) => ({
        id: row.id,
        ...announcementForm(row),
        created_at: legacyTime(row.createdAt, this.config.timezone),
        row_version: announcementVersion(row),
      })),
    );
  }

  /** Returns the announcements for the caller today, as HTML. */
  @Operation({ side: 'user', gn: 'gglist', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async current(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const rows = await this.announcements.current(ctx.user!.id);
    return new ListReply(
      rows.length,
      await Promise.all(
        rows.map(async (row) => ({
          id: row.id,
          title: row.title,
          html: (await renderMarkdown(row.content)).html,
          level: row.level,
          created_at: legacyTime(row.createdAt, this.config.timezone),
        })),
      ),
    );
  }

  @Operation({ side: 'admin', gn: 'ggtj', auth: 'admin', input: AnnouncementInput, audit: 'notify.audit_announced', rate: 'write' })
  async add(input: AnnouncementInput): Promise<SuccessReply> {
    return new SuccessReply('notify.announced', { id: await this.announcements.add(textOf(input)) });
  }

  @Operation({
    side: 'admin',
    gn: 'ggxg',
    auth: 'admin',
    input: AnnouncementChange,
    audit: 'notify.audit_announcement_changed',
    rate: 'write',
  })
  async change({ id, row_version, ...input }: AnnouncementChange): Promise<SuccessReply> {
    await this.announcements.change(id, textOf(input), row_version);
    return new SuccessReply('notify.announcement_saved');
  }

  @Operation({ side: 'admin', gn: 'ggsc', auth: 'admin', input: NoticeIdsInput, audit: 'notify.audit_announcement_deleted', rate: 'write' })
  async remove(input: NoticeIdsInput): Promise<SuccessReply> {
    const ids = idsOf(input);
    if (!ids) throw new NotifyError('NOTHING_CHOSEN');
    const n = await this.announcements.remove(ids);
    if (n === 0) throw new NotifyError('ANNOUNCEMENT_MISSING');
    return new SuccessReply('notify.deleted', {}, { n });
  }
}

function textOf({ title, content, level, btdh, hf, datea, dateb }: Omit<AnnouncementChange, 'id' | 'row_version'>): AnnouncementText {
  return { title, content, level, server: btdh, banner: hf, fromOn: datea ?? null, untilOn: dateb ?? null };
}
