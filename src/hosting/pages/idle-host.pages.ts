import { Controller } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { versioned } from '../../http/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, SettingsTab, defineList, type ListRow } from '../../web/index.js';
import { DriverRegistry, type IdleSign } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { idleForm, idleSettings, isAnyOn } from '../idle/index.js';

const isExisting = (row: ListRow): boolean => row.state !== 'deleted';

const IDLE_HOSTS = defineList({
  id: 'idle-hosts',
  operation: 'listxz',
  empty: 'idle.empty',
  columns: [
    { field: 'user', title: 'hosts.user', whole: true },
    { field: 'server', title: 'hosts.node' },
    {
      field: 'sign',
      title: 'idle.sign',
      kind: 'badge',
      badges: { domain: ['secondary', 'idle.sign_domain'], files: ['secondary', 'idle.sign_files'] },
    },
    { field: 'since', title: 'idle.since', kind: 'moment' },
    { field: 'plan', title: 'idle.plan' },
    {
      field: 'state',
      title: 'hosts.status',
      kind: 'badge',
      badges: {
        seen: ['secondary', 'idle.state_seen'],
        told: ['yellow', 'idle.state_told'],
        stopped: ['red', 'idle.state_stopped'],
        deleted: ['red', 'idle.state_deleted'],
        exempt: ['green', 'idle.state_exempt'],
      },
    },
    { field: 'seen_at', title: 'idle.seen', kind: 'moment' },
  ],
  actions: [
    { label: 'idle.to_host', when: isExisting, href: (row) => `/admin/hosts?q=${encodeURIComponent(String(row.user))}&in=user` },
    {
      label: 'idle.exempt',
      when: (row) => isExisting(row) && row.exempt !== 'true',
      operation: 'xzbl',
      fields: (row) => ({ id: String(row.id), kg: 'true' }),
    },
    {
      label: 'idle.count',
      when: (row) => isExisting(row) && row.exempt === 'true',
      operation: 'xzbl',
      fields: (row) => ({ id: String(row.id), kg: 'false' }),
    },
  ],
});

/** Pages of unused hosts, and of the settings for them. */
@Controller()
export class IdleHostPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
  ) {}

  @Page({ side: 'admin', path: 'idle-hosts', title: 'hosting.menu.idle_hosts', lists: [IDLE_HOSTS] })
  async idleHosts(): Promise<object> {
    const nodes = await this.nodes();
    const serversWithout = (sign: IdleSign): string[] =>
      nodes.filter((node) => !this.drivers.idleSigns(node).includes(sign)).map(({ code }) => code);
    const [untold_domain, untold_files] = [serversWithout('domain'), serversWithout('files')];
    return { is_on: isAnyOn(idleSettings(this.settings.current)), untold_domain, untold_files };
  }

  @SettingsTab({ tab: 'idle', order: 65, needs: 'jkscsz' })
  async idleSettings(): Promise<object> {
    const detectable = new Set((await this.nodes()).flatMap((node) => this.drivers.idleSigns(node)));
    const { current } = this.settings;
    return {
      ...versioned(idleForm(current)),
      tells_domain: detectable.has('domain'),
      tells_files: detectable.has('files'),
      has_mail: idleSettings(current).mail,
    };
  }

  private nodes(): Promise<HostingNode[]> {
    return this.database.repository(HostingNode).find({ where: { enabled: true }, order: { id: 'ASC' } });
  }
}
