import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { localeOf, translate, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import { ListInput, ListReply, Operation, RowId, SuccessReply, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { MAX_GRACE_DAYS } from '../calendar.js';
import { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { NodesService } from '../nodes/index.js';

import { ExpiryRepository } from './expiry-repository.js';
import { type ComingEvent, ExpiryForecast } from './expiry-forecast.js';
import { expiryForm, remindersOf } from './expiry-settings.js';

/** Range of days hosts are kept before they are deleted; 0 keeps them for ever. */
const KEEP = { least: 3, most: 3_650 };
/** Maximum days of a forecast. */
export const MAX_DAYS_AHEAD = 60;
/** Default days of a forecast. */
export const DAYS_AHEAD = 7;
/** Kinds of events. */
const COMING_KINDS = ['remind', 'pause', 'tell', 'delete', 'keep'] as const;

/** Fields of `dqsz`; an omitted one leaves its setting unchanged. */
export class ExpirySettingsInput {
  /** Days before the last day on which owners are reminded, such as `7,3,1,0`; empty: never. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(60) txts?: string;
  /** Days of grace. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_GRACE_DAYS) kxts?: number;
  /** Days a paused host is kept before it is deleted; 0: for ever. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(KEEP.most) scts?: number;
  @VersionField() row_version?: string;
}

/** Fields of `listdq`. */
export class ComingInput extends ListInput {
  /** Days, today included. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MAX_DAYS_AHEAD) ts = DAYS_AHEAD;
  /** Only events of this kind. */
  @IsOptional() @IsIn(['', ...COMING_KINDS]) lx = '';
}

/** Fields of `dqbl`. */
export class KeepHostInput {
  /** Id of the host. */
  @RowId() id!: number;
  /** On: no job deletes it after it has expired. */
  @Switch() @IsBoolean() kg!: boolean;
}

/** Settings and forecast of host expiry. Source: docs/panel-api.md "The end of hosts". */
@Injectable()
export class ExpiryOperations {
  constructor(
    private readonly site: SiteSettings,
    private readonly repository: ExpiryRepository,
    private readonly forecast: ExpiryForecast,
    private readonly database: Database,
    private readonly nodes: NodesService,
  ) {}

  /** @throws HostingError INVALID_INPUT, StaleForm */
  @Operation({
    side: 'admin',
    gn: 'dqsz',
    auth: 'admin',
    input: ExpirySettingsInput,
    audit: 'hosting.audit_expiry_settings',
    rate: 'write',
    secondProof: true,
  })
  async save({ txts, kxts, scts, row_version }: ExpirySettingsInput): Promise<SuccessReply> {
    const days = txts === undefined ? undefined : remindersOf(txts);
    if (days === null) throw new HostingError('INVALID_INPUT', {}, { txts: 'hosting.field_reminders' });
    if (scts !== undefined && scts !== 0 && scts < KEEP.least) throw new HostingError('INVALID_INPUT', {}, { scts: 'hosting.field_keep' });
    const values = { expiryReminders: days?.join(','), expiryGraceDays: kxts, expiryKeepDays: scts };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.site.change(given, (row) => checkVersion(row_version, expiryForm(row)));
    const extras = nextVersion(row_version, expiryForm(this.site.current));
    return new SuccessReply('hosting.expiry_saved', extras);
  }

  /** Lists the future expiry events of hosts. */
  @Operation({ side: 'admin', gn: 'listdq', auth: 'admin', input: ComingInput, audit: null, rate: 'read', servers: 'listed' })
  async list({ page, limit, ts, lx, ss }: ComingInput, ctx: CallContext): Promise<ListReply> {
    const events = await this.forecast.coming(ts);
    const servers = accessOf(ctx.admin).servers;
    const codes = servers ? new Set(await this.nodes.codesOf(servers)) : null;
    const text = ss?.toLowerCase() ?? '';
    const shown = events.filter(
      ({ what, host }) =>
        (lx === '' || what === lx) && (codes?.has(host.nodeCode) ?? true) && (text === '' || host.username.toLowerCase().includes(text)),
    );
    const locale = localeOf(ctx.locale);
    const rows = shown.slice((page - 1) * limit, page * limit);
    return new ListReply(
      shown.length,
      rows.map((event) => line(event, locale)),
    );
  }

  /** Exempts a host from deletion by jobs, or ends the exemption. @throws HostingError ACCOUNT_NOT_FOUND */
  @Operation({
    side: 'admin',
    gn: 'dqbl',
    auth: 'admin',
    input: KeepHostInput,
    audit: 'hosting.audit_expiry_exempt',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async keep({ id, kg }: KeepHostInput): Promise<SuccessReply> {
    const host = await this.database.repository(HostingAccount).findOneBy({ id });
    if (host?.state !== 'active' && host?.state !== 'paused') throw new HostingError('ACCOUNT_NOT_FOUND');
    await this.repository.setExempt(id, kg);
    return new SuccessReply(kg ? 'hosting.expiry_exempted' : 'hosting.expiry_counted', { id }, { user: host.username });
  }
}

/** Describes the event in text; the day is a separate field. */
function line({ host, what, day, left, deletesOn, why }: ComingEvent, locale: Locale): Record<string, string> {
  const params = { n: String(left ?? 0), day: deletesOn ?? '' };
  const key = why ? `hosting.coming_${what}_${why}` : `hosting.coming_${what}`;
  return {
    id: String(host.id),
    user: host.username,
    server: host.nodeCode,
    datae: host.expiresOn,
    day,
    what,
    why: why ?? '',
    text: translate(locale, key, params),
    exempt: String(host.exempt),
  };
}
