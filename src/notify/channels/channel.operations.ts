import { Injectable, type Type } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsNotEmpty, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';

import { Clock, localeOf, translate } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { VersionField, versionOf } from '../../http/index.js';
import { JsonText, ListInput, ListReply, Operation, RowId, RowIdOrZero, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { NOTICE_KINDS, type NoticeKind } from '../notice.js';

import { ChannelError } from './channel-error.js';
import { Channels, typeOf, type ChannelOwner } from './channels.js';
import { kindTitle } from './kind-title.js';

/** Parses comma-separated words, for input that is not JSON. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[,，]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

class ChannelInput {
  /** Id of the channel to change; 0 or omitted adds one. */
  @IsOptional() @RowIdOrZero() id = 0;
  /** Kind, required for a new one; for a plugin's kind `{plugin}:{kind}`. */
  @IsOptional() @IsString() @MaxLength(100) lx?: string;
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  /** Field values: `cs[token]=…`. */
  @IsOptional() @JsonText() @IsObject() cs: Record<string, string | number | boolean | null> = {};
  /** Kinds of notices it receives: `sj=monitor,expire`; all if omitted. */
  @IsOptional() @JsonText(wordsOf) @IsArray() @ArrayMaxSize(20) @IsIn(NOTICE_KINDS, { each: true }) sj: NoticeKind[] = [...NOTICE_KINDS];
  @IsOptional() @Switch() @IsBoolean() kg = true;
  @VersionField() row_version?: string;
}

class ChannelIdInput {
  @RowId() id!: number;
}

/**
 * Creates the operations of a side: for the caller's own channels, or for those shared by all administrators. Source: docs/panel-api.md
 * "Notices".
 */
function channelOperationsOf(side: Scope): Type<object> {
  const of = { side, auth: side } as const;

  @Injectable()
  class ChannelOperations {
    constructor(
      private readonly channels: Channels,
      private readonly settings: SiteSettings,
      private readonly baseUrl: BaseUrl,
      private readonly clock: Clock,
    ) {}

    @Operation({ ...of, gn: 'listtd', input: ListInput, audit: null, rate: 'read' })
    async list(_input: ListInput, ctx: CallContext): Promise<ListReply> {
      const locale = localeOf(ctx.locale);
      const rows = await this.channels.list(channelOwnerOf(side, ctx));
      return new ListReply(
        rows.length,
        rows.map((row) => {
          const problem = this.channels.problemOf(row, locale);
          return {
            id: row.id,
            name: row.name,
            lx: typeOf(row),
            lxmc: kindTitle(row, this.channels.kindOf(row), locale),
            sj: row.kinds.map((kind) => translate(locale, `notify.kind.${kind}`)).join(translate(locale, 'common.list_comma')),
            kg: row.enabled,
            cs: this.channels.shown(row),
            bz: problem ? translate(locale, problem.key, problem.params) : '',
            row_version: versionOf(this.channels.form(row)),
          };
        }),
      );
    }

    @Operation({ ...of, gn: 'tdbc', input: ChannelInput, audit: 'notify.audit_channel', rate: 'write' })
    async save({ id, lx, name, cs, sj, kg, row_version }: ChannelInput, ctx: CallContext): Promise<SuccessReply> {
      const owner = channelOwnerOf(side, ctx);
      const settings = Object.fromEntries(Object.entries(cs).map(([field, value]) => [field, value === null ? '' : String(value)]));
      const draft = { name, settings, kinds: [...new Set(sj)], enabled: kg };
      if (id > 0) {
        await this.channels.change(owner, id, draft, row_version);
        return new SuccessReply('notify.channel_saved', { id });
      }
      return new SuccessReply('notify.channel_saved', { id: await this.channels.add(owner, { ...draft, type: lx ?? '' }) });
    }

    /** @throws ChannelError with the response of the service */
    @Operation({ ...of, gn: 'tdcs', input: ChannelIdInput, audit: 'notify.audit_channel_tested', rate: 'expensive' })
    async test({ id }: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
      const channel = await this.channels.find(channelOwnerOf(side, ctx), id);
      if (!channel) throw new ChannelError('MISSING');
      const locale = localeOf(ctx.locale);
      const site = this.settings.current.name;
      const at = this.clock.now();
      const message = {
        id: `test-${id}-${at.getTime()}`,
        kind: 'system',
        level: 'info',
        title: translate(locale, 'notify.channel_test_title'),
        text: translate(locale, 'notify.channel_test_text', { site }),
        link: `${this.baseUrl.current()}/`,
        site,
        at,
      } as const;
      await this.channels.send(channel, message, { locale, isTest: true });
      return new SuccessReply('notify.channel_tested', {}, { name: channel.name });
    }

    @Operation({ ...of, gn: 'tdsc', input: ChannelIdInput, audit: 'notify.audit_channel_deleted', rate: 'write' })
    async remove({ id }: ChannelIdInput, ctx: CallContext): Promise<SuccessReply> {
      await this.channels.remove(channelOwnerOf(side, ctx), id);
      return new SuccessReply('notify.deleted');
    }
  }
  return ChannelOperations;
}

/** Operations on the channels shared by all administrators. */
export const AdminChannelOperations = channelOperationsOf('admin');

/** Operations on an account's own channels. */
export const UserChannelOperations = channelOperationsOf('user');

/** Returns the owner of the caller's channels on a side; the caller may be signed in on both. */
export function channelOwnerOf(side: Scope, { user }: CallContext): ChannelOwner {
  return { side, accountId: side === 'admin' ? 0 : user!.id };
}
