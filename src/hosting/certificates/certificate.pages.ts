import { Controller } from '@nestjs/common';

import { legacyTime, localeOf } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page } from '../../web/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';
import { SitesAddress } from '../sites-address.js';

import { acmeSettings } from './acme-settings.js';
import { CertificateRepository } from './certificate-repository.js';
import { daysLeft, orderWords } from './certificate-words.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { CertificateNames } from './certificate-names.js';

/** The certificate of one site, for its owner and for administrators. */
@Controller()
export class CertificatePages {
  constructor(
    private readonly access: SiteAccess,
    private readonly repository: CertificateRepository,
    private readonly orders: CertificateOrderRepository,
    private readonly names: CertificateNames,
    private readonly sites: SitesAddress,
    private readonly settings: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  @Page({ side: 'user', path: 'certificate', title: 'certificates.menu.certificate', menu: { icon: 'mdi-certificate', order: 15 } })
  ofUser(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(call, site));
  }

  @Page({ side: 'admin', path: 'host-certificate', view: 'certificate', title: 'certificates.menu.certificate', needs: ['getssl'] })
  ofAdmin(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(call, site));
  }

  private async shown(call: RequestContext, site: OpenSite): Promise<object> {
    const { account } = site;
    const [certificate, order, all, orderable] = await Promise.all([
      this.repository.of(account.id),
      this.orders.newest(account.id),
      this.names.of(account),
      this.names.orderable(account),
    ]);
    const zone = this.clock.timezone;
    const inUse = certificate?.names ?? [];
    const secure = all.find((name) => !name.startsWith('*') && coversName(inUse, name));
    return {
      user: account.username,
      able: site.has('certificates'),
      is_on: acmeSettings(this.settings.current).isOn,
      // A paused host gets no renewals, whatever its server reports.
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
