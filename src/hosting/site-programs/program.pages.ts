import { Controller } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import { Page } from '../../web/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { PROGRAM_MENU } from './program-menu.js';
import { newestFirst, shownVersion } from './php-version.js';
import { ServerAddresses } from './server-addresses.js';
import { fileAccessOf, phpOf, shownOf } from './site-state.js';

/** PHP and file access pages of a site, for its owner and for administrators. */
@Controller()
export class ProgramPages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly addresses: ServerAddresses,
  ) {}

  @Page({ side: 'user', path: 'php', title: 'siteprograms.menu.php', menu: { order: 10, under: PROGRAM_MENU, offer: 'php' } })
  ownPhp(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.php(site, call));
  }

  @Page({ side: 'admin', path: 'host-php', view: 'php', title: 'siteprograms.menu.php', needs: ['listphp'] })
  phpOfHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.php(site, call));
  }

  @Page({
    side: 'user',
    path: 'file-access',
    title: 'siteprograms.menu.file_access',
    menu: { order: 30, under: PROGRAM_MENU, offer: 'access' },
  })
  ownAccess(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.access(site, call));
  }

  @Page({ side: 'admin', path: 'host-file-access', view: 'file-access', title: 'siteprograms.menu.file_access', needs: ['ftpxx'] })
  accessOfHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.access(site, call));
  }

  private async php(site: OpenSite, call: RequestContext): Promise<object> {
    const user = site.account.username;
    if (!site.has('php')) return { user, able: false };
    const shown = await shownOf(call, async () => {
      const { current, versions } = await phpOf(site);
      return {
        current: shownVersion(current),
        versions: newestFirst(versions).map((version) => ({ value: version, text: shownVersion(version), chosen: version === current })),
      };
    });
    return { user, able: true, ...shown };
  }

  private async access(site: OpenSite, call: RequestContext): Promise<object> {
    const user = site.account.username;
    if (!site.has('access')) return { user, able: false };
    const shown = await shownOf(call, async () => {
      const { protocol, host, port, username, enabled } = await fileAccessOf(site);
      return { protocol, host: host || (await this.addresses.of(site.account)), port, login: username, enabled };
    });
    return { user, able: true, ...shown };
  }
}
