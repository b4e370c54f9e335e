import { Injectable } from '@nestjs/common';

import { SLOW_QUERY_MS, SlowQueryThreshold } from '../database/index.js';
import { SiteLocale } from '../http/index.js';
import { SecondFactorRule, UserPanelSwitch } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { SiteBrand } from '../web/index.js';

import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** The site's default language, as a port for the request code. */
@Injectable()
export class LocaleOfSettings extends SiteLocale {
  constructor(private readonly settings: SiteSettings) {
    super();
  }

  current(): string {
    return this.settings.current.locale;
  }
}

/** As {@link LocaleOfSettings}; returns the default until the settings are loaded. */
@Injectable()
export class SlowQueriesOfSettings extends SlowQueryThreshold {
  constructor(private readonly settings: SiteSettings) {
    super();
  }

  current(): number {
    return this.settings.isRead ? this.settings.current.slowQueryMs : SLOW_QUERY_MS;
  }
}

/** As {@link LocaleOfSettings}. */
@Injectable()
export class UserPanelOfSettings extends UserPanelSwitch {
  constructor(private readonly settings: SiteSettings) {
    super();
  }

  isOpen(): boolean {
    return this.settings.current.userPanelOpen;
  }

  get contact(): string {
    return this.settings.current.contact;
  }
}

/** As {@link LocaleOfSettings}. */
@Injectable()
export class BrandOfSettings extends SiteBrand {
  constructor(
    private readonly settings: SiteSettings,
    private readonly pictures: SiteLogos,
  ) {
    super();
  }

  get name(): string {
    return this.settings.current.name;
  }

  get logos(): SiteBrand['logos'] {
    return this.pictures.urls;
  }

  get icon(): string {
    return this.pictures.urlOf('siteIcon');
  }

  get copyright(): string {
    return this.settings.current.copyright ?? '';
  }
}

/** As {@link LocaleOfSettings}. */
@Injectable()
export class SecondFactorOfSettings extends SecondFactorRule {
  constructor(private readonly settings: SiteSettings) {
    super();
  }

  required(side: Scope): boolean {
    return side === 'admin' ? this.settings.current.adminSecondFactor : this.settings.current.userSecondFactor;
  }
}
