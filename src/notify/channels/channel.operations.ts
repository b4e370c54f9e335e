import '../texts.js';

import { Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { Clock, localeOf, translate } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { ListInput, ListReply, Operation, SuccessReply, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { NOTICE_KINDS, type NoticeKind } from '../notice.js';

import { ChannelError } from './channel-error.js';
import { Channels, type ChannelOwner } from './channels.js';
import { NOTIFICATION_CHANNELS } from './drivers/index.js';

/** JSON text, as fields in brackets arrive, or words with commas between. */
const Json = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value.split(',').filter((word) => word !== '');
    }
  });

class ChannelInput {
  /** Which one is changed; 0 or left out adds one. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(2_147_483_647) id = 0;
  /** Its kind, needed for a new one. */
  @IsOptional() @IsIn(NOTIFICATION_CHANNELS.map(({ type }) => type)) lx?: string;
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  /** Its fields: `cs[token]=…`. */
  @IsOptional() @Json() @IsObject() cs: Record<string, string> = {};
  /** What it is told of: `sj=monitor,expire`; everything where it is left out. */
  @IsOptional() @Json() @IsArray() @ArrayMaxSize(20) @IsIn(NOTICE_KINDS, { each: true }) sj: NoticeKind[] = [...NOTICE_KINDS];
  @IsOptional() @Switch() @IsBoolean() kg = true;
}

class ChannelIdInput {
  @WholeNumber() @IsInt() @Min(1) @Max(2_147_483_647) id!: number;
}

/** The caller's channels, on both sides. Source: docs/panel-api.md "Notices". */
@Injectable()
export class ChannelOperations {
  constructor(
    private readonly channels: Channels,
    private readonly settings: SiteSettings,
    private readonly baseUrl: BaseUrl,
    private readonly clock: Clock,
  ) {}

  @Operation({ side: 'admin', gn: 'listtd', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  listOfAdmin(_input: ListInput, ctx: CallContext): Promise<ListReply> {
    return this.list(ctx);
  }

  @Operation({ side: 'user', gn: 'listtd', auth: 'user', input: ListInput, audit: null, rate: 'read' })
  listOfUser(_input: ListInput, ctx: CallContext): Promise<ListReply> {
    return this.list(ctx);
  }

  @Operation({ side: 'admin', gn: 'tdbc', auth: 'admin', input: ChannelInput, audit: 'notify.audit_channel', rate: 'write' })
  saveOfAdmin(input: ChannelInput, ctx: CallContext): Promise<SuccessReply> {
    return this.save(input, ctx);
  }

  @Operation({ side: 'user', gn: 'tdbc', auth: 'user', input: ChannelInput, audit: 'notify.audit_channel', rate: 'write' })
  saveOfUser(input: ChannelInput, ctx: CallContext): Promise<SuccessReply> {
    return this.save(input, ctx);
  }

  @Operation({ side: 'admin', gn: 'tdcs', auth: 'admin', input: ChannelIdInput, audit: 'notify.audit_channel_tested', rate: 'expensive' })
  testOfAdmin(input: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    return this.test(input, ctx);
  }

  @Operation({ side: 'user', gn: 'tdcs', auth: 'user', input: ChannelIdInput, audit: 'notify.audit_channel_tested', rate: 'expensive' })
  testOfUser(input: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    return this.test(input, ctx);
  }

  @Operation({ side: 'admin', gn: 'tdsc', auth: 'admin', input: ChannelIdInput, audit: 'notify.audit_channel_deleted', rate: 'write' })
  removeOfAdmin(input: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove(input, ctx);
  }

  @Operation({ side: 'user', gn: 'tdsc', auth: 'user', input: ChannelIdInput, audit: 'notify.audit_channel_deleted', rate: 'write' })
  removeOfUser(input: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove(input, ctx);
  }

  private async list(ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const rows = await this.channels.list(channelOwnerOf(ctx));
    return new ListReply(
      rows.length,
      rows.map((row) => ({
        id: row.id,
        name: row.name,
        lx: row.type,
        lxmc: translate(locale, `notify.channel.${row.type}`),
        sj: row.kinds.map((kind) => translate(locale, `notify.kind.${kind}`)).join(translate(locale, 'common.list_comma')),
        kg: row.enabled,
        cs: this.channels.shown(row),
      })),
    );
  }

  private async save({ id, lx, name, cs, sj, kg }: ChannelInput, ctx: CallContext): Promise<SuccessReply> {
    const owner = channelOwnerOf(ctx);
    const settings = Object.fromEntries(Object.entries(cs).map(([field, value]) => [field, String(value)]));
    const draft = { name, settings, kinds: [...new Set(sj)], enabled: kg };
    if (id > 0) {
      await this.channels.change(owner, id, draft);
      return new SuccessReply('notify.channel_saved', { id });
    }
    if (!lx) throw new ChannelError('TYPE_UNKNOWN', {}, { lx: 'notify.channel_type_unknown' });
    return new SuccessReply('notify.channel_saved', { id: await this.channels.add(owner, { ...draft, type: lx }) });
  }

  /** @throws ChannelError with what was answered */
  private async test({ id }: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    const channel = await this.channels.find(channelOwnerOf(ctx), id);
    if (!channel) throw new ChannelError('MISSING');
    const locale = localeOf(ctx.locale);
    const site = this.settings.current.name;
    const at = this.clock.now();
    await this.channels.send(channel, {
      id: `test-${id}-${at.getTime()}`,
      kind: 'system',
      level: 'info',
      title: translate(locale, 'notify.channel_test_title'),
      text: translate(locale, 'notify.channel_test_text', { site }),
      link: `${this.baseUrl.current()}/`,
      site,
      at,
    });
    return new SuccessReply('notify.channel_tested', {}, { name: channel.name });
  }

  private async remove({ id }: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
    await this.channels.remove(channelOwnerOf(ctx), id);
    return new SuccessReply('notify.deleted');
  }
}

/** Whose channels whoever calls may see. */
export function channelOwnerOf({ admin, user }: CallContext): ChannelOwner {
  return admin ? { side: 'admin', accountId: 0 } : { side: 'user', accountId: user!.id };
}
