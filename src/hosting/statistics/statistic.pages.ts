import { Controller } from '@nestjs/common';

import { localeOf, translate, type Locale } from '../../common/index.js';
import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { type Chart, defineList, type ListRow, Page, SettingsTab } from '../../web/index.js';
import { shownSize } from '../files/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import type { Range } from './ranges.js';
import { othersOf, ranked, SiteStatistics, type SiteNumbers } from './site-statistics.js';
import type { Counted } from './statistic-repository.js';
import { statisticsForm } from './statistics-settings.js';
import type { ListName } from './tally.js';

const SHOWN_RANGES: readonly Range[] = ['24h', '7d', '30d', '1y'];
/** Top lists of the page with their headings, in order. */
const SHOWN_LISTS: readonly (readonly [ListName, string])[] = [
  ['page', 'statistics.page'],
  ['referrer', 'statistics.referrer'],
  ['address', 'statistics.address'],
  ['error', 'statistics.error'],
  ['code', 'statistics.code'],
  ['spider', 'statistics.spider'],
  ['client', 'statistics.client'],
  ['method', 'statistics.method'],
];
/** Maximum entries shown per list. */
const MAX_SHOWN = 10;
/** Maximum recent requests shown. */
const MAX_RECENT = 20;
const MB = 1024 ** 2;

const logsOf = (side: Scope) =>
  defineList({
    id: 'site-logs',
    operation: 'rzlb',
    given: side === 'admin' ? ['id'] : [],
    empty: 'statistics.no_logs',
    columns: [
      { field: 'day', title: 'statistics.day', kind: 'moment' },
      { field: 'size', title: 'files.size', whole: true },
      {
        field: 'state',
        title: 'hosts.status',
        kind: 'badge',
        badges: { whole: ['green', 'statistics.whole'], cut: ['yellow', 'statistics.cut'] },
      },
    ],
    actions: [
      {
        label: 'files.download',
        operation: 'rzxz',
        fields: (row: ListRow) => ({ ...(row.host ? { id: String(row.host) } : {}), day: String(row.day) }),
        opens: 'url',
        then: 'nothing',
      },
    ],
  });

/** Pages of the visitor statistics of a site, for its owner and for administrators. */
@Controller()
export class StatisticPages {
  constructor(
    private readonly access: SiteAccess,
    private readonly statistics: SiteStatistics,
    private readonly settings: SiteSettings,
  ) {}

  @Page({
    side: 'user',
    path: 'statistics',
    plain: true,
    title: 'sitestats.menu.statistics',
    menu: { icon: 'mdi-chart-bar', order: 17 },
    lists: [logsOf('user')],
  })
  ofUser(call: RequestContext): Promise<object> {
    return this.vars(call, () => '/user/statistics?');
  }

  @Page({
    side: 'admin',
    path: 'host-statistics',
    plain: true,
    view: 'statistics',
    title: 'sitestats.menu.statistics',
    needs: ['site_stats'],
    lists: [logsOf('admin')],
  })
  ofAdmin(call: RequestContext): Promise<object> {
    return this.vars(call, (id) => `/admin/host-statistics?id=${id}&`);
  }

  @SettingsTab({ tab: 'statistics', order: 66, needs: 'tjsz' })
  settingsTab(): object {
    return versioned(statisticsForm(this.settings.current));
  }

  /** A server without logs has no statistics to show. */
  private vars(call: RequestContext, base: (id: number) => string): Promise<object> {
    return siteVars(this.access, call, (site) =>
      site.has('statistics') ? this.shown(call, base(site.account.id), site) : { able: false, user: site.account.username },
    );
  }

  private async shown(call: RequestContext, base: string, site: OpenSite): Promise<object> {
    const locale = localeOf(call.locale);
    const range = SHOWN_RANGES.find((one) => one === call.query.range) ?? '24h';
    const [numbers, recent] = await Promise.all([
      this.statistics.of(site.account.id, range),
      this.statistics.recent(site, MAX_RECENT).catch(() => []),
    ]);
    const { counts, visitors, lists } = numbers.all;
    const { siteLogDays, statisticsMonths, logsNetworksOnly } = this.settings.current;
    return {
      able: true,
      user: site.account.username,
      ranges: SHOWN_RANGES.map((name) => ({
        label: translate(locale, `sitestats.range_${name}`),
        href: `${base}range=${name}`,
        current: name === range,
      })),
      totals: { requests: counts.requests, pages: counts.pages, visitors: visitors.count, sent: shownSize(counts.bytes) },
      is_empty: counts.requests === 0,
      charts: counts.requests === 0 ? [] : chartsOf(numbers, range, locale),
      ranks: SHOWN_LISTS.map(([name, title]) => ({
        title,
        rows: ranked(lists[name])
          .slice(0, MAX_SHOWN)
          .map((row) => ({ ...row, name: row.name === '-' ? translate(locale, `sitestats.unknown_${name}`) : row.name })),
        others: ranked(lists[name])
          .slice(MAX_SHOWN)
          .reduce((sum, { count }) => sum + count, othersOf(lists[name])),
      })),
      recent: recent.map(({ time, address, method, url, status, bytes }) => ({
        time: time.replace('T', ' '),
        address,
        request: `${method} ${url}`.slice(0, 300),
        status,
        size: shownSize(bytes),
      })),
      log_days: siteLogDays,
      months: statisticsMonths,
      networks_only: logsNetworksOnly,
    };
  }
}

/** Builds the charts: visits, bytes sent, and response statuses. */
function chartsOf({ times }: SiteNumbers, range: Range, locale: Locale): Chart[] {
  const text = (key: string): string => translate(locale, `sitestats.${key}`);
  const plain = (number: number) => ({ number, text: String(number) });
  const chart = (
    title: string,
    kinds: readonly ('bar' | 'line')[],
    names: readonly string[],
    values: (time: Counted) => Chart['rows'][number]['values'],
  ): Chart => ({
    title: `${text(title)} · ${text(`range_${range}`)}`,
    label: text('when'),
    series: names.map((name, index) => ({ title: text(name), kind: kinds[index]! })),
    rows: times.map((time) => ({ label: shownTime(time.at), values: values(time) })),
  });
  return [
    chart('chart_visits', ['bar', 'line', 'line'], ['requests', 'pages', 'visitors'], ({ counts, visitors }) =>
      [counts.requests, counts.pages, visitors].map(plain),
    ),
    chart('chart_sent', ['bar'], ['megabytes'], ({ counts: { bytes } }) => [
      { number: Math.round((bytes / MB) * 100) / 100, text: shownSize(bytes) },
    ]),
    chart('chart_answers', ['bar', 'line', 'line'], ['succeeded', 'refused', 'failed'], ({ counts }) =>
      [counts.succeeded + counts.redirected, counts.refused, counts.failed].map(plain),
    ),
  ];
}

/** `08:00` for an hour, `11-23` for a day, `2026-11` for a month. */
const shownTime = (at: string): string => (at.length === 13 ? `${at.slice(11)}:00` : at.length === 10 ? at.slice(5) : at);
