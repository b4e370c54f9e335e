import { Controller } from '@nestjs/common';

import type { RequestContext } from '../operations/index.js';
import { Page } from '../web/index.js';

import type { MonitorKind } from './entities/index.js';
import { MonitorViews } from './monitor-views.js';

/** Kinds with their text keys and hints. */
export const KINDS: readonly { readonly value: MonitorKind; readonly text: string; readonly hint: string }[] = [
  { value: 'url', text: 'monitors.kind_url', hint: 'monitors.kind_hint_url' },
  { value: 'tcp', text: 'monitors.kind_tcp', hint: 'monitors.kind_hint_tcp' },
  { value: 'dns', text: 'monitors.kind_dns', hint: 'monitors.kind_hint_dns' },
  { value: 'cert', text: 'monitors.kind_cert', hint: 'monitors.kind_hint_cert' },
  { value: 'domain', text: 'monitors.kind_domain', hint: 'monitors.kind_hint_domain' },
  { value: 'push', text: 'monitors.kind_push', hint: 'monitors.kind_hint_push' },
  { value: 'resource', text: 'monitors.kind_resource', hint: 'monitors.kind_hint_resource' },
  { value: 'server', text: 'monitors.kind_server', hint: 'monitors.kind_hint_server' },
];

/** Kinds each side may create: resource monitors belong to the hosts' owners, server monitors to administrators. */
export const KINDS_OF = {
  user: KINDS.filter(({ value }) => value !== 'server'),
  admin: KINDS.filter(({ value }) => value !== 'resource'),
};

/** Returns the text key of a kind. */
export const kindText = (kind: string): string => KINDS.find(({ value }) => value === kind)?.text ?? kind;

const CHOICES = {
  methods: ['GET', 'HEAD', 'POST'],
  records: ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'],
  status_rules: [
    { value: 'eq', label: 'monitors.rule_eq' },
    { value: 'neq', label: 'monitors.rule_neq' },
    { value: 'gt', label: 'monitors.rule_gt' },
    { value: 'gte', label: 'monitors.rule_gte' },
    { value: 'lt', label: 'monitors.rule_lt' },
    { value: 'lte', label: 'monitors.rule_lte' },
    { value: 'in', label: 'monitors.rule_in' },
    { value: 'not_in', label: 'monitors.rule_not_in' },
    { value: 'range', label: 'monitors.rule_range' },
  ],
  content_rules: [
    { value: 'none', label: 'monitors.content_none' },
    { value: 'contains', label: 'monitors.content_contains' },
    { value: 'not_contains', label: 'monitors.content_not_contains' },
    { value: 'json', label: 'monitors.content_json' },
  ],
  resources: [
    { value: 'web', label: 'monitors.resource_web' },
    { value: 'sql', label: 'monitors.resource_sql' },
    { value: 'traffic', label: 'monitors.resource_traffic' },
  ],
  server_resources: [
    { value: 'heartbeat', label: 'monitors.server_heartbeat' },
    { value: 'load', label: 'monitors.server_load' },
    { value: 'disk', label: 'monitors.server_disk' },
  ],
};

/** Form of a monitor, with only the fields of its kind. */
@Controller()
export class MonitorFormPages {
  constructor(private readonly views: MonitorViews) {}

  @Page({ side: 'user', path: 'monitor-form', title: 'monitor.menu.monitors' })
  async ofUser(call: RequestContext): Promise<object> {
    return this.form(call, 'user');
  }

  @Page({ side: 'admin', path: 'monitor-form', title: 'monitor.menu.monitors' })
  async ofAdmin(call: RequestContext): Promise<object> {
    return this.form(call, 'admin');
  }

  private async form(call: RequestContext, side: 'admin' | 'user'): Promise<object> {
    const offered = KINDS_OF[side].map(({ value }) => value);
    const { task, ...form } = await this.views.form(call, side, offered);
    return { ...CHOICES, ...form, task, kind_text: kindText(task.task_type) };
  }
}
