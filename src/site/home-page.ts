import { Injectable } from '@nestjs/common';

import type { Locale } from '../common/index.js';
import type { SiteConfig } from '../database/index.js';

import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** Lightness from which on dark letters are easier to read than white ones. Source: WCAG 2.2, where both have the same contrast. */
const LIGHT = 0.179;

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
    const rgb = partsOf(homeColour);
    return {
      site: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
      image: this.pictures.urlOf('homeImage'),
      colour: rgb ? homeColour : '',
      colour_rgb: rgb?.join(', ') ?? '',
      on_colour: rgb && lightness(rgb) > LIGHT ? '#182433' : '#ffffff',
    };
  }
}

/** Red, green and blue of `#rrggbb`; null for anything else. */
function partsOf(colour: string): number[] | null {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  return parts && parts.slice(1).map((part) => Number.parseInt(part, 16));
}

/** From 0 to 1, as eyes see it. Source: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function lightness(rgb: readonly number[]): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
