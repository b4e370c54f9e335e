import { Controller } from '@nestjs/common';

import { Clock, legacyTime, localeOf } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { defineList, type ListRow, Page, SettingsTab } from '../../web/index.js';
import { DriverRegistry } from '../driver/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';
import { SitesAddress } from '../sites-address.js';

import { acmeForm, acmeSettings, DIRECTORIES } from './acme-settings.js';
import { CertificateRepository } from './certificate-repository.js';
import { daysLeft, orderWords } from './certificate-words.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { CertificateNames } from './certificate-names.js';

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

/** The certificate of a site, for its owner and for administrators; all of them, and from whom they are ordered. */
@Controller()
export class CertificatePages {
  constructor(
    private readonly access: SiteAccess,
    private readonly repository: CertificateRepository,
    private readonly orders: CertificateOrderRepository,
    private readonly names: CertificateNames,
    private readonly drivers: DriverRegistry,
    private readonly sites: SitesAddress,
    private readonly settings: SiteSettings,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  @Page({ side: 'user', path: 'certificate', title: 'theme.menu.certificate', menu: { icon: 'mdi-certificate', order: 15 } })
  ofUser(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(call, site));
  }

  @Page({ side: 'admin', path: 'host-certificate', view: 'certificate', title: 'theme.menu.certificate', needs: ['getssl'] })
  ofAdmin(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(call, site));
  }

  @Page({ side: 'admin', path: 'certificates', title: 'theme.menu.certificates', lists: [LIST] })
  list(): object {
    return { is_on: acmeSettings(this.settings.current).isOn, is_served: this.isServed };
  }

  @SettingsTab({ tab: 'certificates', order: 68, needs: 'zssz' })
  settingsTab(): object {
    return { ...versioned(acmeForm(this.settings.current)), directories: Object.values(DIRECTORIES), is_served: this.isServed };
  }

  /** Whether any kind of server here installs certificates. */
  private get isServed(): boolean {
    return this.drivers.types().some((type) => this.drivers.find(type)?.certificates !== undefined);
  }

  private async shown(call: RequestContext, site: OpenSite): Promise<object> {
    const { account } = site;
    const [certificate, order, all, orderable] = await Promise.all([
      this.repository.of(account.id),
      this.orders.newest(account.id),
      this.names.of(account),
      this.names.orderable(account),
    ]);
    const zone = this.config.timezone;
    const inUse = certificate?.names ?? [];
    const secure = all.find((name) => !name.startsWith('*') && coversName(inUse, name));
    return {
      user: account.username,
      able: site.has('certificates'),
      is_on: acmeSettings(this.settings.current).isOn,
      // Nothing is renewed of a host that is paused, whatever its server shows.
      waits: account.state === 'paused' || isProofHidden(site),
      hidden: isProofHidden(site),
      certificate: certificate && {
        names: certificate.names,
        source: certificate.source,
        issuer: certificate.issuer,
        ends_at: legacyTime(certificate.endsAt, zone),
        days: daysLeft(certificate, this.clock.now()),
        renews_at: certificate.renewAt ? legacyTime(certificate.renewAt, zone) : '',
        revoked_at: certificate.revokedAt ? legacyTime(certificate.revokedAt, zone) : '',
        force_https: certificate.forceHttps,
        url: secure ? this.sites.secureUrlOf(secure, site.isHere) : null,
      },
      uncovered: certificate ? all.filter((name) => !coversName(inUse, name)) : [],
      order: order && orderWords(order, zone, localeOf(call.locale)),
      choices: orderable.map((name) => ({ name, chosen: certificate?.source === 'acme' ? inUse.includes(name) : true })),
    };
  }
}
