import { Controller } from '@nestjs/common';

import { versioned } from '../../http/index.js';
import { SiteSettings } from '../../site/index.js';
import { defineList, type ListRow, Page, SettingsTab } from '../../web/index.js';
import { DriverRegistry } from '../driver/index.js';

import { acmeForm, acmeSettings, DIRECTORIES } from './acme-settings.js';

const LIST = defineList({
  id: 'certificates',
  operation: 'listssl',
  empty: 'certs.empty',
  columns: [
    { field: 'user', title: 'hosts.user', whole: true },
    { field: 'server', title: 'hosts.node' },
    { field: 'names', title: 'certs.names', notes: [{ text: (row) => String(row.error), tone: 'danger' }] },
    {
      field: 'source',
      title: 'certs.source',
      kind: 'badge',
      badges: { acme: ['green', 'certs.source_acme'], own: ['secondary', 'certs.source_own'] },
    },
    { field: 'issuer', title: 'certs.issuer' },
    { field: 'ends_at', title: 'certs.ends', kind: 'moment' },
    {
      field: 'state',
      title: 'hosts.status',
      kind: 'badge',
      badges: {
        fine: ['green', 'certs.state_fine'],
        ordering: ['azure', 'certs.state_ordering'],
        failing: ['yellow', 'certs.state_failing'],
        revoked: ['red', 'certs.state_revoked'],
        ended: ['red', 'certs.state_ended'],
      },
    },
  ],
  actions: [
    { label: 'certs.to_host', operation: 'getssl', href: (row) => `/admin/host-certificate?id=${String(row.id)}` },
    {
      label: 'certs.renew',
      tone: 'primary',
      when: (row: ListRow) => row.source === 'acme',
      operation: 'xqssl',
      fields: (row: ListRow) => ({ id: String(row.id) }),
    },
  ],
});

/** All certificates, and the authority they are ordered from. */
@Controller()
export class CertificateListPages {
  constructor(
    private readonly drivers: DriverRegistry,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'admin', path: 'certificates', title: 'certificates.menu.certificates', lists: [LIST] })
  list(): object {
    return { is_on: acmeSettings(this.settings.current).isOn, is_served: this.isServed };
  }

  @SettingsTab({ tab: 'certificates', order: 68, needs: 'zssz' })
  settingsTab(): object {
    return { ...versioned(acmeForm(this.settings.current)), directories: Object.values(DIRECTORIES), is_served: this.isServed };
  }

  /** Whether any kind of server here can install certificates. */
  private get isServed(): boolean {
    return this.drivers.types().some((type) => this.drivers.find(type)?.certificates !== undefined);
  }
}
