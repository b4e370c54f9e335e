import { Controller } from '@nestjs/common';

import { OperationWords } from '../access/index.js';
import { localeOf } from '../common/index.js';
import { Database } from '../database/index.js';
import { OperationTimes, type RequestContext } from '../operations/index.js';
import { PluginListings } from '../plugin-registry/index.js';
import { ACTIVITY_MENU, defineList, Page } from '../web/index.js';

import { MachineFacts } from './machine-facts.js';

/** Number of slowest operations and queries shown. */
const MAX_SHOWN = 10;

const HEALTH = defineList({
  id: 'health',
  operation: 'jkjc',
  whole: true,
  empty: 'script.empty',
  columns: [
    { field: 'mc', title: 'health.check', whole: true },
    {
      field: 'zt',
      title: 'health.state',
      kind: 'badge',
      badges: { ok: ['green', 'health.ok'], warn: ['yellow', 'health.warn'], broken: ['red', 'health.broken'] },
    },
    { field: 'nr', title: 'health.found', kind: 'named', notes: [{ text: (row) => String(row.jy ?? '') }] },
  ],
  actions: [{ label: 'health.look', when: (row) => row.url !== '', href: (row) => String(row.url) }],
});

/** Page of health checks and timings. */
@Controller()
export class HealthPages {
  constructor(
    private readonly times: OperationTimes,
    private readonly words: OperationWords,
    private readonly plugins: PluginListings,
    private readonly database: Database,
    private readonly facts: MachineFacts,
  ) {}

  @Page({
    side: 'admin',
    path: 'health',
    title: 'health.menu.health',
    menu: { under: ACTIVITY_MENU, order: 5 },
    lists: [HEALTH],
  })
  async health(call: RequestContext): Promise<object> {
    const { slow } = this.database;
    const locale = localeOf(call.locale);
    return {
      machine: await this.facts.of(call),
      slow: {
        from: slow.threshold,
        queries: slow
          .list()
          .slice(0, MAX_SHOWN)
          .map(({ text, count, total, longest, callers }) => ({
            text,
            count,
            mean: mean(total, count),
            longest: Math.round(longest),
            callers,
          })),
      },
      operations: this.times
        .list()
        .slice(0, MAX_SHOWN)
        .map(({ side, name, calls, refused, total, longest }) => ({
          name: this.words.of(side, name, locale),
          code: `${side} ${name}`,
          calls,
          failed: refused,
          mean: mean(total, calls),
          longest: Math.round(longest),
        })),
      plugins: this.plugins.callsOfRunning().map(({ slug, places }) => {
        const sum = (of: (place: (typeof places)[number]) => number): number => places.reduce((all, place) => all + of(place), 0);
        const calls = sum((place) => place.calls);
        const total = sum((place) => place.mean * place.calls);
        return {
          name: slug,
          calls,
          failed: sum((place) => place.errors + place.timeouts),
          mean: mean(total, calls),
          longest: Math.round(Math.max(0, ...places.map((place) => place.longest))),
        };
      }),
    };
  }
}

const mean = (total: number, calls: number): number => (calls === 0 ? 0 : Math.round((total / calls) * 10) / 10);
