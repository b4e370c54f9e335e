import { Controller } from '@nestjs/common';

import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';
import { NodesService, ServerGroups } from '../nodes/index.js';
import { groupForm } from '../operations/index.js';
import { groupReference } from '../placement/index.js';

/** Maximum servers in a selection. */
const MAX_SERVERS = 500;
/** Placement rules with their texts. */
const RULES = [
  { value: 'least', title: 'groups.rule_least', hint: 'groups.rule_least_hint' },
  { value: 'fill', title: 'groups.rule_fill', hint: 'groups.rule_fill_hint' },
  { value: 'weight', title: 'groups.rule_weight', hint: 'groups.rule_weight_hint' },
  { value: 'capacity', title: 'groups.rule_capacity', hint: 'groups.rule_capacity_hint' },
] as const;

const GROUPS = defineList({
  id: 'server-groups',
  operation: 'listbtz',
  empty: 'groups.empty',
  columns: [
    {
      field: 'mc',
      title: 'groups.name',
      kind: 'named',
      href: (row) => `/admin/server-group?id=${String(row.id)}`,
      notes: [{ text: (row) => String(row.btdh) }],
    },
    {
      field: 'gz',
      title: 'groups.rule',
      kind: 'badge',
      badges: {
        least: ['blue', 'groups.rule_least'],
        fill: ['blue', 'groups.rule_fill'],
        weight: ['blue', 'groups.rule_weight'],
        capacity: ['blue', 'groups.rule_capacity'],
      },
    },
    {
      field: 'jds',
      title: 'groups.servers',
      kind: 'named',
      notes: [
        { text: (row, translate) => (row.kf === row.jds ? '' : translate('groups.open_n', { n: String(row.kf) })) },
        { text: (row, translate) => (row.kf === '0' || row.sy === '0' ? translate('groups.no_room') : ''), tone: 'danger' },
      ],
    },
    {
      field: 'zjs',
      title: 'groups.hosts',
      kind: 'named',
      notes: [
        { text: (row, translate) => (row.sy === '' ? translate('groups.any_room') : translate('groups.room_n', { n: String(row.sy) })) },
      ],
    },
  ],
  actions: [
    { label: 'groups.open', operation: 'listbtzcy', href: (row) => `/admin/server-group?id=${String(row.id)}` },
    { label: 'groups.delete', tone: 'danger', operation: 'btzsc', confirm: 'groups.delete_confirm' },
  ],
});

const SERVERS = defineList({
  id: 'group-servers',
  operation: 'listbtzcy',
  given: ['id'],
  empty: 'groups.servers_empty',
  columns: [
    { field: 'btdh', title: 'servers.code', kind: 'named', href: (row) => `/admin/server?id=${String(row.id)}` },
    {
      field: 'zjs',
      title: 'groups.hosts',
      kind: 'named',
      notes: [{ text: (row, translate) => (row.rl === '0' ? '' : translate('servers.capacity_of', { n: String(row.rl) })) }],
    },
    { field: 'qz', title: 'servers.weight' },
    {
      field: 'zt',
      title: 'servers.state',
      kind: 'badge',
      badges: {
        open: ['green', 'servers.on'],
        full: ['yellow', 'groups.full'],
        off: ['secondary', 'servers.off'],
        away: ['red', 'groups.away'],
        missing: ['red', 'groups.missing'],
      },
    },
  ],
});

/** Pages of server groups, and of a single one. */
@Controller()
export class ServerGroupPages {
  constructor(
    private readonly groups: ServerGroups,
    private readonly nodes: NodesService,
  ) {}

  @Page({
    side: 'admin',
    path: 'server-groups',
    title: 'hosting.menu.server_groups',
    menu: { icon: 'mdi-lan', order: 22.5 },
    lists: [GROUPS],
  })
  async list(): Promise<object> {
    return { group: { id: 0, name: '', rule: 'least' }, rules: RULES, servers: await this.choices([]) };
  }

  /** Shows one group: its servers with their usage, and the form to edit it. */
  @Page({ side: 'admin', path: 'server-group', title: 'hosting.menu.server_groups', lists: [SERVERS] })
  async group({ query }: RequestContext): Promise<object> {
    const group = await this.groups.find(Number(query.id) || 0);
    if (!group) throw new PageMissing();
    const members = (await this.groups.members([group.id])).get(group.id)!;
    return {
      group: { ...group, reference: groupReference(group.code), row_version: versionOf(groupForm(group, members)) },
      rules: RULES,
      servers: await this.choices(members),
    };
  }

  private async choices(chosen: readonly number[]): Promise<object[]> {
    const { nodes } = await this.nodes.page({ page: 1, limit: MAX_SERVERS, sortOrder: 'asc' });
    return nodes.map(({ id, code }) => ({ id, code, chosen: chosen.includes(id) }));
  }
}
