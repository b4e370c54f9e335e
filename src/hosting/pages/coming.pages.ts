import { Controller } from '@nestjs/common';

import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, SettingsTab, defineList, type ListRow } from '../../web/index.js';
import { DeletionCap } from '../accounts/index.js';
import { DAYS_AHEAD, ExpiryForecast, expiryForm, MAX_DAYS_AHEAD, MAX_SCANNED } from '../expiry/index.js';

const isOver = (row: ListRow): boolean => ['tell', 'delete', 'keep'].includes(String(row.what));

const COMING = defineList({
  id: 'coming',
  operation: 'listdq',
  empty: 'coming.empty',
  keyword: 'ss',
  filters: [
    {
      field: 'lx',
      label: 'coming.what',
      choices: [
        ['remind', 'coming.remind'],
        ['pause', 'coming.pause'],
        ['tell', 'coming.tell'],
        ['delete', 'coming.delete'],
        ['keep', 'coming.keep'],
      ],
    },
    {
      field: 'ts',
      label: 'coming.days',
      choices: [
        ['1', 'coming.days_today'],
        ['14', 'coming.days_fortnight'],
        ['30', 'coming.days_month'],
        ['60', 'coming.days_months'],
      ],
    },
  ],
  columns: [
    { field: 'day', title: 'coming.day', kind: 'moment' },
    { field: 'user', title: 'hosts.user', whole: true },
    {
      field: 'what',
      title: 'coming.what',
      kind: 'badge',
      badges: {
        remind: ['blue', 'coming.remind'],
        pause: ['yellow', 'coming.pause'],
        tell: ['orange', 'coming.tell'],
        delete: ['red', 'coming.delete'],
        keep: ['secondary', 'coming.keep'],
      },
    },
    { field: 'text', title: 'coming.text' },
    { field: 'datae', title: 'hosts.expires', whole: true },
    { field: 'server', title: 'hosts.node' },
  ],
  actions: [
    { label: 'coming.to_host', href: (row) => `/admin/hosts?q=${encodeURIComponent(String(row.user))}&in=user` },
    { label: 'coming.renew', href: (row) => `/admin/host-renewal?id=${encodeURIComponent(String(row.id))}` },
    {
      label: 'coming.exempt',
      when: (row) => isOver(row) && row.exempt !== 'true',
      operation: 'dqbl',
      fields: (row) => ({ id: String(row.id), kg: 'true' }),
    },
    {
      label: 'coming.count',
      when: (row) => row.exempt === 'true',
      operation: 'dqbl',
      confirm: 'coming.count_confirm',
      fields: (row) => ({ id: String(row.id), kg: 'false' }),
    },
  ],
});

/** Pages with the forecast of expiry events, and with the expiry settings. */
@Controller()
export class ComingPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly cap: DeletionCap,
    private readonly forecast: ExpiryForecast,
  ) {}

  @Page({
    side: 'admin',
    path: 'what-will-happen',
    title: 'hosting.menu.what_will_happen',
    menu: { icon: 'mdi-calendar-clock-outline', order: 21 },
    lists: [COMING],
  })
  async coming({ query }: RequestContext): Promise<object> {
    const { waiting, most, releasedBy, jump } = await this.cap.state();
    const { expiryReminders, expiryGraceDays, expiryKeepDays } = this.settings.current;
    const days = Math.min(Math.max(Number(query.ts) || DAYS_AHEAD, 1), MAX_DAYS_AHEAD);
    return {
      reminders: expiryReminders.split(',').filter(Boolean).join(', '),
      grace: expiryGraceDays,
      keep: expiryKeepDays,
      waiting,
      most,
      is_released: releasedBy !== null,
      cut: (await this.forecast.isCut(Math.floor(days))) ? MAX_SCANNED : undefined,
      jump: jump && { from: jump.from.toISOString(), to: jump.to.toISOString() },
    };
  }

  @SettingsTab({ tab: 'expiry', order: 64, needs: 'dqsz' })
  expirySettings(): object {
    return versioned(expiryForm(this.settings.current));
  }
}
