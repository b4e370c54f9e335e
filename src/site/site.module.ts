import { Global, Module } from '@nestjs/common';

import { SlowQueryThreshold } from '../database/index.js';
import { SiteLocale } from '../http/index.js';
import { SecondFactorRule, UserPanelSwitch } from '../operations/index.js';
import { SiteBrand } from '../web/index.js';

import { ApiKeyOperations } from './api-key.operations.js';
import { HomePage } from './home-page.js';
import { HomeOperations } from './home.operations.js';
import { SiteSettingsPages } from './settings.pages.js';
import { SiteOperations } from './site.operations.js';
import { SiteLogos } from './site-logos.js';
import { BrandOfSettings, LocaleOfSettings, SecondFactorOfSettings, SlowQueriesOfSettings, UserPanelOfSettings } from './site-ports.js';
import { SiteSettings } from './site-settings.js';
import {
  ThemeCards,
  ThemeChoice,
  ThemeOperations,
  ThemePages,
  ThemePictures,
  ThemePreviewBanner,
  ThemeScriptGrants,
  ThemeScriptOperations,
  ThemeScriptPages,
  ThemeSettings,
  ThemeSettingsOperations,
  ThemeSettingsPages,
  ThemeUpdates,
} from './themes/index.js';
import { SeenVersions, WhatsNewBanner } from './whats-new.js';
import { WhatsNewOperations } from './whats-new.operations.js';
import { WhatsNewPages } from './whats-new.pages.js';

const PORTS = [
  { provide: SiteLocale, useClass: LocaleOfSettings },
  { provide: SlowQueryThreshold, useClass: SlowQueriesOfSettings },
  { provide: UserPanelSwitch, useClass: UserPanelOfSettings },
  { provide: SecondFactorRule, useClass: SecondFactorOfSettings },
  { provide: SiteBrand, useClass: BrandOfSettings },
];

/** The settings of the installation, the ports that lower layers read them through, and the operations that change them. */
@Global()
@Module({
  controllers: [SiteSettingsPages, WhatsNewPages, ThemePages, ThemeSettingsPages, ThemeScriptPages],
  providers: [
    SeenVersions,
    WhatsNewOperations,
    WhatsNewBanner,
    SiteSettings,
    SiteLogos,
    HomePage,
    SiteOperations,
    HomeOperations,
    ApiKeyOperations,
    ThemeChoice,
    ThemeCards,
    ThemeOperations,
    ThemePreviewBanner,
    ThemePictures,
    ThemeSettings,
    ThemeSettingsOperations,
    ThemeScriptGrants,
    ThemeScriptOperations,
    ThemeUpdates,
    ...PORTS,
  ],
  exports: [
    SiteSettings,
    SiteLogos,
    HomePage,
    ThemeChoice,
    ThemePictures,
    ThemeSettings,
    ThemeScriptGrants,
    ThemeUpdates,
    SiteLocale,
    SlowQueryThreshold,
    SecondFactorRule,
    UserPanelSwitch,
    SiteBrand,
  ],
})
export class SiteModule {}
