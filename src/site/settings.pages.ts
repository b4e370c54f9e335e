import { Controller } from '@nestjs/common';

import { versioned, versionOf } from '../http/index.js';
import { SettingsTab } from '../web/index.js';

import { homeForm } from './home-page.js';
import { SiteLogos } from './site-logos.js';
import { logosForm, siteForm, userSideForm } from './site-forms.js';
import { SiteSettings } from './site-settings.js';

/** Settings tabs of the site and of the user side. */
@Controller()
export class SiteSettingsPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly pictures: SiteLogos,
  ) {}

  @SettingsTab({ tab: 'site', order: 10, menu: 'site.menu.site', needs: 'setwz' })
  site(): object {
    return versioned(siteForm(this.settings.current));
  }

  @SettingsTab({ tab: 'user', order: 15, menu: 'site.menu.user_side', needs: 'setkzmb' })
  userSide(): object {
    const { current } = this.settings;
    const { config, row_version } = versioned(userSideForm(current));
    return { config: { ...config, zjyx: current.mailRequired }, row_version, logos_version: versionOf(logosForm(current)) };
  }

  @SettingsTab({ tab: 'home', order: 17, menu: 'site.menu.home_page', needs: 'save_home_settings' })
  home(): object {
    const [logo, icon, image] = (['homeLogo', 'siteIcon', 'homeImage'] as const).map((setting) => this.pictures.urlOf(setting));
    return { ...versioned(homeForm(this.settings.current)), pictures: { logo, icon, image } };
  }
}
