import { Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import { ListInput, ListReply, Operation, SuccessReply, Switch, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { shownSize } from '../files/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { RawLogs } from './raw-logs.js';
import { RANGES, type Range } from './ranges.js';
import { othersOf, ranked, SiteStatistics, type SiteNumbers } from './site-statistics.js';
import { statisticsForm } from './statistics-settings.js';
import type { ListName } from './tally.js';

/** Lists by their names in requests. */
const LISTS: Readonly<Record<string, ListName>> = {
  ip_rank: 'address',
  uri_rank: 'page',
  referrer: 'referrer',
  errors: 'error',
  code: 'code',
  spider: 'spider',
  client: 'client',
  method: 'method',
};
const TYPES = ['overview', 'trend', 'recent', ...Object.keys(LISTS)];
/** Maximum recent requests shown. */
const MAX_RECENT = 200;

/** Fields of `site_stats`. */
export class StatisticsInput {
  @IsOptional() @IsIn(TYPES) type?: string;
  /** Alias of `type` used by older programs. */
  @IsOptional() @IsIn(TYPES) act?: string;
  @IsOptional() @IsIn(RANGES) range: Range = 'today';
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(200) page_size = 20;
}

/** Fields of `rzxz`. */
export class LogDayInput {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @Matches(/^\d{4}-\d\d-\d\d$/, { message: 'sitestats.field_day' })
  day!: string;
}

/** Fields of `tjsz`; an omitted one leaves its setting unchanged. */
export class StatisticsSettingsInput {
  /** Days access logs are kept. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(365) rzts?: number;
  /** Months statistics are kept. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(60) tjys?: number;
  /** Whether logs contain networks instead of addresses. */
  @IsOptional() @Switch() @IsBoolean() rznm?: boolean;
  @VersionField() row_version?: string;
}

/** Operations on the visitor statistics of a site and its raw logs. Source: docs/panel-api.md "Statistics". */
export const statisticOperations = siteOperations((on) => {
  @Injectable()
  class StatisticOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly statistics: SiteStatistics,
      private readonly logs: RawLogs,
    ) {}

    @Operation(on('site_stats', StatisticsInput, null, 'read'))
    async read({ type, act, range, page, page_size, ...host }: StatisticsInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(host, ctx, 'read');
      site.port('statistics');
      const requested = type ?? act ?? 'overview';
      const from = (page - 1) * page_size;
      const about = { type: requested, range, _site: site.account.username };
      if (requested === 'recent') {
        const list = await this.statistics.recent(site, MAX_RECENT);
        return new SuccessReply('hosting.read', { ...about, total: list.length, list: list.slice(from, from + page_size) });
      }
      const numbers = await this.statistics.of(site.account.id, range);
      if (requested === 'overview') return new SuccessReply('hosting.read', { ...about, ...overview(numbers) });
      if (requested === 'trend') return new SuccessReply('hosting.read', { ...about, list: trend(numbers) });
      const top = numbers.all.lists[LISTS[requested]!];
      const list = ranked(top);
      const counted = { count: top.total, others: othersOf(top), total: list.length };
      return new SuccessReply('hosting.read', { ...about, ...counted, list: list.slice(from, from + page_size) });
    }

    /** Lists the days with a raw log. */
    @Operation(on('rzlb', ListInput, null, 'read'))
    async days({ page, limit, ...host }: ListInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const site = await this.sites.of(host, ctx, 'read');
      const logs = await this.logs.days(site);
      const rows = logs.slice((page - 1) * limit, page * limit).map(({ day, bytes, isPacked, isCut }) => ({
        id: day,
        ...(ctx.scope === 'admin' ? { host: String(site.account.id) } : {}),
        day,
        size: shownSize(bytes),
        bytes: String(bytes),
        packed: String(isPacked),
        state: isCut ? 'cut' : 'whole',
      }));
      return new ListReply(logs.length, rows);
    }

    /** Issues a single-use, short-lived download link for the log of a day, for the caller. */
    @Operation(on('rzxz', LogDayInput, 'sitestats.audit_log', 'write'))
    async link({ day, ...host }: LogDayInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(host, ctx, 'read');
      const token = await this.logs.link(site, day, ctx);
      return new SuccessReply('sitefiles.link', { url: `/${ctx.scope}/rzxz.php?t=${token}` }, { host: site.account.username, day });
    }
  }
  return StatisticOperations;
});

/** Settings for the retention of logs and statistics, and for visitor privacy. */
@Injectable()
export class StatisticsSettingsOperations {
  constructor(private readonly site: SiteSettings) {}

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'tjsz', auth: 'admin', input: StatisticsSettingsInput, audit: 'sitestats.audit_settings', rate: 'write' })
  async save({ rzts, tjys, rznm, row_version }: StatisticsSettingsInput): Promise<SuccessReply> {
    const values = { siteLogDays: rzts, statisticsMonths: tjys, logsNetworksOnly: rznm };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.site.change(given, (row) => checkVersion(row_version, statisticsForm(row)));
    const extras = nextVersion(row_version, statisticsForm(this.site.current));
    return new SuccessReply('sitestats.saved', extras);
  }
}

function overview({ all }: SiteNumbers): object {
  const { pages, ...counts } = all.counts;
  return { ...counts, pv: pages, uv: all.visitors.count };
}

function trend({ times }: SiteNumbers): object[] {
  return times.map(({ at, counts: { pages, ...counts }, visitors }) => ({ time: at, ...counts, pv: pages, uv: visitors }));
}
