import { Injectable } from '@nestjs/common';

import type { Locale } from '../common/index.js';
import type { SiteConfig } from './entities/index.js';
import { inkOn, rgbOf } from '../theme/index.js';

import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** The page at the root of the site as its owner wants it; what is empty is the theme's own. */
export interface HomeLook {
  /** What visitors are told the site is called, and what stands below every page; only what is set. */
  readonly site: { readonly name?: string; readonly hero?: string; readonly footer?: string };
  /** Address of the picture below the title; empty: none. */
  readonly image: string;
  /** `#rrggbb`; empty: the theme's. */
  readonly colour: string;
  /** The same as `r, g, b`. */
  readonly colour_rgb: string;
  /** Colour of letters on it. */
  readonly on_colour: string;
}

/** What `save_home_settings` sets, by the names of its fields, as the page shows it. */
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

/** What the owner of the site made of its first page. */
@Injectable()
export class HomePage {
  constructor(
    private readonly settings: SiteSettings,
    private readonly pictures: SiteLogos,
  ) {}

  /** In the language of a visitor; a text of one language alone stands for both. */
  look(locale: Locale): HomeLook {
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
