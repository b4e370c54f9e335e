import { Injectable } from '@nestjs/common';

import { SiteLocale, UserPanelSwitch } from '../operations/index.js';

import { SiteSettings } from './site-settings.js';

/** What requests need of the settings. */
@Injectable()
export class LocaleOfSettings extends SiteLocale {
  constructor(private readonly settings: SiteSettings) {
    super();
  }

  current(): string {
    return this.settings.current.locale;
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
