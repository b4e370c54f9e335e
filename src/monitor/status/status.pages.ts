import { Controller } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { MAX_ID } from '../../database/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';
import { INCIDENT_SEVERITIES, INCIDENT_STATES, type StatusPage } from '../entities/index.js';
import { MonitorError } from '../errors.js';

import { Incidents } from './incidents.js';
import { StatusPages, statusPageVersion } from './status-pages.js';

const SEVERITY_BADGES = {
  minor: ['azure', 'status.severity_minor'],
  major: ['yellow', 'status.severity_major'],
  critical: ['red', 'status.severity_critical'],
} as const;

const STATE_BADGES = {
  investigating: ['red', 'status.state_investigating'],
  identified: ['yellow', 'status.state_identified'],
  monitoring: ['blue', 'status.state_monitoring'],
  resolved: ['green', 'status.state_resolved'],
} as const;

const CHOICES = {
  severities: INCIDENT_SEVERITIES.map((value) => ({ value, text: SEVERITY_BADGES[value][1] })),
  states: INCIDENT_STATES.map((value) => ({ value, text: STATE_BADGES[value][1] })),
};

const listsOf = (side: 'admin' | 'user') => [
  defineList({
    id: 'status-monitors',
    operation: 'status_monitors',
    empty: 'status.no_monitors',
    columns: [
      { field: 'name', title: 'monitors.name' },
      { field: 'public_name', title: 'status.public_name' },
    ],
    actions: [
      {
        label: 'status.show',
        when: (row) => row.public_name === '',
        tone: 'primary',
        dialog: 'status-show',
        operation: 'status_show',
        fills: ['id', 'suggested', 'row_version'],
      },
      {
        label: 'status.rename',
        when: (row) => row.public_name !== '',
        dialog: 'status-show',
        operation: 'status_show',
        fills: ['id', 'suggested', 'row_version'],
      },
      {
        label: 'status.hide',
        when: (row) => row.public_name !== '',
        operation: 'status_show',
        fields: (row) => ({ id: String(row.id), public_name: '' }),
      },
    ],
  }),
  defineList({
    id: 'incidents',
    operation: 'incident_list',
    empty: 'status.no_incidents',
    beside: true,
    columns: [
      { field: 'title', title: 'status.incident_title' },
      { field: 'severity', title: 'status.severity', kind: 'badge', badges: SEVERITY_BADGES },
      { field: 'state', title: 'status.state', kind: 'badge', badges: STATE_BADGES },
      { field: 'started_at', title: 'status.started', kind: 'moment' },
      { field: 'resolved_at', title: 'status.resolved', kind: 'moment' },
    ],
    actions: [
      {
        label: 'status.tell',
        when: (row) => row.state !== 'resolved',
        tone: 'primary',
        dialog: 'incident-update',
        operation: 'incident_update_add',
        fills: ['id', 'state'],
      },
      { label: 'status.updates', href: (row) => `/${side}/incident?id=${String(row.id)}` },
      {
        label: 'monitors.edit',
        dialog: 'incident-edit',
        operation: 'incident_change',
        fills: ['id', 'title', 'severity', 'started_at', 'row_version'],
      },
      { label: 'monitors.delete', tone: 'danger', operation: 'incident_del', confirm: 'status.delete_confirm' },
    ],
  }),
];

const UPDATES = defineList({
  id: 'incident-updates',
  operation: 'incident_updates',
  given: ['id'],
  empty: 'status.no_updates',
  columns: [
    { field: 'created_at', title: 'monitors.when', kind: 'moment' },
    { field: 'state', title: 'status.state', kind: 'badge', badges: STATE_BADGES },
    { field: 'content', title: 'status.content', kind: 'brief' },
  ],
  actions: [
    { label: 'monitors.edit', dialog: 'update-edit', operation: 'incident_update_change', fills: ['id', 'content', 'row_version'] },
    { label: 'monitors.delete', tone: 'danger', operation: 'incident_update_del', confirm: 'status.update_delete_confirm' },
  ],
});

/** Pages for managing status pages and incidents, on both sides. */
@Controller()
export class StatusSettingsPages {
  constructor(
    private readonly pages: StatusPages,
    private readonly incidents: Incidents,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Page({
    side: 'user',
    path: 'status',
    plain: true,
    title: 'monitor.menu.status',
    menu: { icon: 'mdi-list-status', order: 26 },
    lists: listsOf('user'),
  })
  async ofUser(call: RequestContext): Promise<object> {
    return this.settings(await this.pages.find(call.user!.id));
  }

  @Page({
    side: 'admin',
    path: 'status',
    plain: true,
    title: 'monitor.menu.status',
    menu: { icon: 'mdi-list-status', order: 29 },
    lists: listsOf('admin'),
  })
  async ofAdmin(): Promise<object> {
    return this.settings(await this.pages.find(0));
  }

  @Page({ side: 'user', path: 'incident', plain: true, title: 'monitor.menu.status', lists: [UPDATES] })
  async incidentOfUser(call: RequestContext): Promise<object> {
    return this.incident(await this.pages.find(call.user!.id), call);
  }

  @Page({ side: 'admin', path: 'incident', plain: true, title: 'monitor.menu.status', lists: [UPDATES] })
  async incidentOfAdmin(call: RequestContext): Promise<object> {
    return this.incident(await this.pages.find(0), call);
  }

  private settings(page: StatusPage | null): object {
    const base = `${this.baseUrl.current()}/status/`;
    return {
      ...CHOICES,
      base,
      page: page && { title: page.title, slug: page.slug, is_public: page.isPublic },
      url: page?.isPublic && page.offReason === null ? `${base}${page.slug}` : '',
      off_reason: page?.offReason ?? '',
      row_version: statusPageVersion(page),
    };
  }

  private async incident(page: StatusPage | null, { query }: RequestContext): Promise<object> {
    const id = Number(query.id);
    if (!page || !Number.isInteger(id) || id < 1 || id > MAX_ID) throw new PageMissing();
    const { title, state } = await this.incidents.find(page.id, id).catch((error: unknown) => {
      throw error instanceof MonitorError ? new PageMissing() : error;
    });
    return { ...CHOICES, incident: { id, title, state } };
  }
}
