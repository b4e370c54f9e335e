import { Injectable } from '@nestjs/common';

import type { Locale } from '../common/index.js';
import type { SiteConfig } from './entities/index.js';
import { inkOn, rgbOf } from '../theme/index.js';

import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** Appearance of the home page as configured; empty values are the theme's. */
export interface HomeAppearance {
  /** Title, subtitle and footer; only configured ones. */
  readonly site: { readonly name?: string; readonly hero?: string; readonly footer?: string };
  /** URL of the image below the title; empty: none. */
  readonly image: string;
  /** `#rrggbb`; empty: the theme's. */
  readonly colour: string;
  /** {@link colour} as `r, g, b`. */
  readonly colour_rgb: string;
  /** Text colour on {@link colour}. */
  readonly on_colour: string;
}

/** Form values of `save_home_settings`, by field name. */
export const homeForm = (settings: Readonly<SiteConfig>) => ({
  home_enable: settings.homeOpen,
  home_title: settings.homeTitle,
  home_title_en: settings.homeTitleEn,
  home_hero: settings.homeText,
  home_hero_en: settings.homeTextEn,
  home_footer: settings.homeFoot,
  home_footer_en: settings.homeFootEn,
  home_primary: settings.homeColour,
  home_show_notice: settings.homeNotice,
  home_show_plans: settings.homeBlocks,
});

/** The configured appearance of the home page. */
@Injectable()
export class HomePage {
  constructor(
    private readonly settings: SiteSettings,
    private readonly pictures: SiteLogos,
  ) {}

  /** Returns it in the visitor's language; a text available in one language only is used for both. */
  appearance(locale: Locale): HomeAppearance {
    const { homeTitle, homeTitleEn, homeText, homeTextEn, homeFoot, homeFootEn, homeColour } = this.settings.current;
    const choose = (zh: string, en: string): string => (locale === 'en' ? en || zh : zh || en);
    const texts = { name: choose(homeTitle, homeTitleEn), hero: choose(homeText, homeTextEn), footer: choose(homeFoot, homeFootEn) };
    const rgb = rgbOf(homeColour);
    return {
      site: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
      image: this.pictures.urlOf('homeImage'),
      colour: rgb ? homeColour : '',
      colour_rgb: rgb?.join(', ') ?? '',
      on_colour: inkOn(homeColour),
    };
  }
}
