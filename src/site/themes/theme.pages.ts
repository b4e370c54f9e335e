import { Controller } from '@nestjs/common';

import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { defineList, Page } from '../../web/index.js';

import { SiteSettings } from '../site-settings.js';

import { SIDE_TITLES } from './side-titles.pages.js';
import { ThemeCards, type ThemeCard } from './theme-cards.js';
import { choiceForm, chosenTheme, type ChosenSide } from './theme-choice.js';

/** Sides that a theme can be chosen for, with their fields of `settheme` and their titles. */
const FIELDS: readonly (readonly [ChosenSide, string, string])[] = [
  ['user', 'usertheme', 'themes.choice_user'],
  ['admin', 'admintheme', 'themes.choice_admin'],
  ['home', 'hometheme', 'themes.choice_home'],
];

/** Installations, upgrades and rollbacks of themes. */
const HISTORY = defineList({
  id: 'theme-history',
  operation: 'theme_history',
  empty: 'themes.history_empty',
  columns: [
    {
      field: 'name',
      title: 'themes.history_theme',
      kind: 'named',
      notes: [{ text: (row) => String(row.version) }, { text: (row) => String(row.cw), tone: 'danger' }],
    },
    {
      field: 'lx',
      title: 'themes.history_what',
      kind: 'badge',
      badges: {
        store: ['secondary', 'themes.history_store'],
        upload: ['secondary', 'themes.history_upload'],
        back: ['secondary', 'themes.history_back'],
      },
    },
    {
      field: 'zt',
      title: 'themes.history_state',
      kind: 'badge',
      badges: {
        waiting: ['secondary', 'background.waiting'],
        running: ['blue', 'background.running'],
        done: ['green', 'background.done'],
        failed: ['red', 'background.failed'],
        cancelled: ['secondary', 'background.cancelled'],
      },
    },
    { field: 'date', title: 'themes.history_when', kind: 'moment' },
    { field: 'czuser', title: 'themes.history_who' },
  ],
});

/** Page to view and activate themes. */
@Controller()
export class ThemePages {
  constructor(
    private readonly cards: ThemeCards,
    private readonly settings: SiteSettings,
  ) {}

  @Page({
    side: 'admin',
    path: 'themes',
    title: 'site.menu.themes',
    menu: { icon: 'mdi-palette-outline', order: 42 },
    needs: ['theme_list'],
    lists: [HISTORY],
  })
  async themes(call: RequestContext): Promise<object> {
    const themes = await this.cards.all(call);
    const { current } = this.settings;
    const choices = FIELDS.map(([side, field, title]) => {
      const chosen = chosenTheme(current, side);
      const options = themes.filter(({ sides }) => sides.includes(side)).map(({ name, title }) => ({ name, title }));
      return { side, field, title, chosen, options, missing: !options.some(({ name }) => name === chosen) };
    });
    return {
      choices,
      row_version: versionOf(choiceForm(current)),
      themes: themes.map((theme) => ({
        ...theme,
        sides: theme.sides.map((side) => ({ title: SIDE_TITLES[side], on: theme.active.includes(side) })),
        everywhere: JSON.stringify(this.wholeOf(theme)),
        look_at: JSON.stringify({ name: theme.name }),
      })),
      previewed: themes.find(({ previewed }) => previewed)?.title ?? '',
    };
  }

  /** Returns the fields of `settheme` that activate a theme on every side it supports and keep the others. */
  private wholeOf({ name, sides }: ThemeCard): Record<string, string> {
    return Object.fromEntries(
      FIELDS.map(([side, field]) => [field, sides.includes(side) ? name : chosenTheme(this.settings.current, side)]),
    );
  }
}
