import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import type { Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList, fieldView, type ListRow } from '../../web/index.js';
import {
  type DriverCapability,
  DriverNodes,
  DriverRegistry,
  type DriverSettings,
  type EnforceableLimit,
  type HostDriver,
} from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { NodeChanges, ServerGroups } from '../nodes/index.js';
import { ServerPlacement } from '../placement/index.js';
import { nodeForm } from '../wire/index.js';

/** Returns whether a server needs an installed agent. */
const worksByAgent = (row: ListRow): boolean => row.driver === 'agent';

/** Returns whether the agent of a server never connected. */
const isWithoutAgent = (row: ListRow): boolean => worksByAgent(row) && row.zx === '';

/** Requests the command that installs the agent. */
const INSTALL = { operation: 'nodeaz', dialog: 'install-agent', fills: ['id', 'btdh'] } as const;

/** Returns whether a server has reached its capacity. */
const isFull = (row: ListRow): boolean => row.rl !== '0' && Number(row.zjs) >= Number(row.rl);

const SERVERS = defineList({
  id: 'servers',
  operation: 'listbt',
  sort: 'id',
  empty: 'servers.empty',
  keyword: 'ss',
  columns: [
    {
      field: 'btdh',
      title: 'servers.code',
      kind: 'named',
      sortable: true,
      notes: [
        {
          text: (row, translate) => (row.jmsj ? translate('servers.old_key', { until: String(row.jmsj) }) : ''),
          at: (row) => String(row.jmsj),
        },
      ],
    },
    {
      field: 'drvmc',
      title: 'servers.kind',
      kind: 'named',
      notes: [
        { text: (row, translate) => (row.drvzt === 'true' ? '' : translate('servers.driver_missing')), tone: 'danger' },
        { text: (row, translate) => (isWithoutAgent(row) ? translate('servers.agent_missing') : ''), tone: 'danger' },
        { text: (row, translate) => (worksByAgent(row) && row.zx === 'true' ? translate('servers.agent_here') : '') },
      ],
    },
    {
      field: 'btip',
      title: 'servers.address',
      kind: 'named',
      notes: [{ text: (row, translate) => (row.lxsj ? translate('servers.away_since', { since: String(row.lxsj) }) : ''), tone: 'danger' }],
    },
    {
      field: 'zjs',
      title: 'servers.hosts',
      kind: 'named',
      notes: [
        { text: (row, translate) => (row.rl === '0' ? '' : translate('servers.capacity_of', { n: String(row.rl) })) },
        { text: (row, translate) => (isFull(row) ? translate('groups.full') : ''), tone: 'danger' },
      ],
    },
    {
      field: 'fz',
      title: 'servers.load',
      kind: 'named',
      notes: [
        { text: (row, translate) => (row.cp === '' ? '' : translate('servers.disk', { n: String(row.cp) })) },
        { text: (row, translate) => (row.zx === 'false' ? translate('servers.agent_silent') : ''), tone: 'danger' },
      ],
    },
    { field: 'qk', title: 'servers.state', kind: 'badge', badges: { true: ['green', 'servers.on'], false: ['secondary', 'servers.off'] } },
  ],
  actions: [
    { label: 'servers.install', when: isWithoutAgent, tone: 'primary', ...INSTALL },
    { label: 'servers.open', operation: 'btsj', href: (row) => `/admin/server?id=${String(row.id)}` },
    { label: 'servers.compare', operation: 'listbtzj', href: (row) => `/admin/server-drift?id=${String(row.id)}` },
    {
      label: 'emptying.open',
      when: (row) => row.zjs !== '0',
      operation: 'btqk',
      href: (row) => `/admin/server-emptying?id=${String(row.id)}`,
    },
    { label: 'servers.show_key', operation: 'btmyck', shows: 'server-key', then: 'nothing' },
    { label: 'servers.renew_key', dialog: 'renew-key', operation: 'btmygx', fills: ['id', 'btdh'] },
    {
      label: 'servers.end_key',
      when: (row) => row.jmsj !== '',
      tone: 'danger',
      operation: 'btmyjs',
      confirm: 'servers.end_key_confirm',
    },
    { label: 'servers.install', when: (row) => worksByAgent(row) && !isWithoutAgent(row), ...INSTALL },
    { label: 'servers.test', operation: 'btztjc', fields: (row) => ({ btid: String(row.id) }) },
    {
      label: 'servers.edit',
      dialog: 'edit-server',
      operation: 'xgjl',
      fills: ['id', 'btdh', 'btip', 'btdk', 'btos', 'als', 'ftpdz', 'ptl', 'qk', 'rl', 'qz', 'driver', 'bzx', 'bzxjd', 'row_version'],
    },
    {
      label: 'servers.switch_on',
      when: (row) => row.qk === 'false',
      operation: 'btkg',
      fields: (row) => ({ id: String(row.id), kg: 'true' }),
    },
    {
      label: 'servers.switch_off',
      when: (row) => row.qk !== 'false',
      operation: 'btkg',
      fields: (row) => ({ id: String(row.id), kg: 'false' }),
      confirm: 'servers.switch_off_confirm',
    },
    {
      label: 'servers.delete',
      when: (row) => row.zjs === '0',
      tone: 'danger',
      operation: 'btsc',
      confirm: 'servers.delete_confirm',
    },
  ],
});

/** Texts for the capabilities of a kind of server. */
const CAN: Readonly<Record<DriverCapability, string>> = {
  static: 'servers.can_static',
  php: 'servers.can_php',
  files: 'servers.can_files',
  database: 'servers.can_database',
  ftp: 'servers.can_ftp',
  access: 'servers.can_access',
  commands: 'servers.can_commands',
  statistics: 'servers.can_statistics',
  domains: 'servers.can_domains',
  traffic: 'servers.can_traffic',
  settings: 'servers.can_settings',
  rewrites: 'servers.can_rewrites',
  bin: 'servers.can_bin',
  backups: 'servers.can_backups',
  certificates: 'servers.can_certificates',
};
const LIMITS: Readonly<Record<EnforceableLimit, string>> = {
  databaseMb: 'servers.limit_database',
  trafficGb: 'servers.limit_traffic',
  domains: 'servers.limit_domains',
  backups: 'servers.limit_backups',
};

/** Servers that hosting accounts live on. */
@Controller()
export class ServerPages {
  constructor(
    private readonly changes: NodeChanges,
    private readonly drivers: DriverRegistry,
    private readonly nodes: DriverNodes,
    private readonly database: Database,
    private readonly groups: ServerGroups,
    private readonly placement: ServerPlacement,
  ) {}

  @Page({ side: 'admin', path: 'servers', title: 'hosting.menu.servers', menu: { icon: 'mdi-server', order: 22 }, lists: [SERVERS] })
  async servers({ locale }: RequestContext): Promise<object> {
    const kinds = (await this.changes.kinds()).map(({ driver, taken }) => ({
      type: driver.type,
      title: driver.title(locale),
      help: driver.help(locale),
      taken,
      // Comma-separated, as in the rows of the list.
      unused: this.drivers.unenforcedFields({ driver: driver.type }).join(','),
      fields: fieldViews(driver, {}, locale),
    }));
    return { kinds, anyKind: kinds.some(({ taken }) => !taken) };
  }

  /** Shows one server: the capabilities of its kind, and the fields specific to this kind. */
  @Page({ side: 'admin', path: 'server', title: 'hosting.menu.servers', needs: ['btsj'] })
  async server({ query, admin, locale }: RequestContext): Promise<object> {
    const id = Number(query.id) || 0;
    const { servers } = accessOf(admin);
    const node = servers === null || servers.includes(id) ? await this.database.repository(HostingNode).findOneBy({ id }) : null;
    if (!node) throw new PageMissing();
    const driver = this.drivers.find(node.driver);
    return {
      server: { id, code: node.code, address: node.address, enabled: node.enabled, capacity: node.capacity, weight: node.weight },
      hosts: (await this.placement.candidates([id]))[0]?.hosts ?? 0,
      groups: await this.groups.ofServer(id),
      kind: driver?.title(locale) ?? node.driver,
      help: driver?.help(locale) ?? '',
      missing: driver === undefined,
      capabilities: driver ? [...driver.capabilities].sort().map((name) => CAN[name]) : [],
      without: this.drivers.unenforced(node).map((limit) => LIMITS[limit]),
      fields: driver ? fieldViews(driver, this.nodes.open(node.driverSettings), locale, true) : [],
      row_version: versionOf({ cs: nodeForm(node).cs }),
      kept: query.kept === 'true',
    };
  }
}

/** Returns the fields of a kind for a form. @param isKept whether the server exists, so that an empty secret keeps the stored one */
function fieldViews(driver: HostDriver, settings: DriverSettings, locale: Locale, isKept = false): object[] {
  const prefix = `own-${driver.type}`;
  return driver.fields.map((field) => fieldView(field, { prefix, value: settings[field.key], isKept, locale }));
}
