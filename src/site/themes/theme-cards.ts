import { Injectable } from '@nestjs/common';

import type { CallContext } from '../../sdk/index.js';
import { localeOf } from '../../common/index.js';
import { ThemeCatalogue, ThemeNotices, ThemeRenderer, type ThemeSide } from '../../theme/index.js';

import { ThemeScriptGrants } from './scripts/index.js';
import { ThemeChoice } from './theme-choice.js';
import { previewedTheme } from './theme-preview.js';
import { newerThan, ThemeUpdates, type ThemeBetaChoice } from './theme-updates.js';

/** A theme on the themes page. */
export interface ThemeCard extends Record<string, unknown> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** In the reader's language, if the theme's texts contain it. */
  readonly description: string;
  readonly author: string;
  /** Title of its parent theme; empty: none. */
  readonly parent: string;
  /** Sides it has pages of its own for. */
  readonly sides: readonly ThemeSide[];
  /** Sides it is active for. */
  readonly active: readonly ThemeSide[];
  /** Whether the caller is previewing it. */
  readonly previewed: boolean;
  /** Whether it has settings. */
  readonly adjustable: boolean;
  /** How many scripts it has. */
  readonly scripts: number;
  /** Number of scripts whose current version is not permitted. */
  readonly scripts_waiting: number;
  /** Whether it was installed from a package, so that the store may have other versions of it. */
  readonly packaged: boolean;
  /** Newer version in its store; empty: none known. */
  readonly newer: string;
  /** Whether that version is a beta. */
  readonly newer_beta: boolean;
  /** Whether betas of it count as newer; empty: the panel's default. */
  readonly betas: ThemeBetaChoice;
  /** Whether a previous version is kept. */
  readonly before: boolean;
  /** Whether it can be removed: it is in the panel's own folder and unused. */
  readonly removable: boolean;
  /** Errors since it was loaded, in which the default theme was used instead. */
  readonly problems: readonly { readonly view: string; readonly message: string; readonly count: number }[];
}

/** Builds the cards of the themes page. */
@Injectable()
export class ThemeCards {
  constructor(
    private readonly catalogue: ThemeCatalogue,
    private readonly choice: ThemeChoice,
    private readonly notices: ThemeNotices,
    private readonly renderer: ThemeRenderer,
    private readonly scripts: ThemeScriptGrants,
    private readonly updates: ThemeUpdates,
  ) {}

  /** Returns every theme by name, including active ones that no longer exist. */
  async all(call: CallContext): Promise<ThemeCard[]> {
    const listed = this.catalogue.list();
    const titles = new Map(listed.map(({ name, title }) => [name, title]));
    const parents = new Set(listed.map(({ parent }) => parent));
    const previewed = previewedTheme(call);
    const problems = this.notices.list();
    const updates = await this.updates.all();
    const locale = localeOf(call.locale);
    return listed.map((found) => {
      const { name, title, version, description, author, parent, sides } = this.catalogue.package(found.name)?.info ?? found;
      const active = this.choice.sidesOf(name);
      const scripts = this.scripts.scriptsOf(name);
      const update = updates.get(name);
      const newer = update ? newerThan(version, update) : '';
      return {
        ...{ name, title, version, author, sides, active },
        description: description && this.renderer.wordsOf(name, locale)(description),
        parent: titles.get(parent) ?? parent,
        previewed: previewed === name,
        adjustable: (this.catalogue.package(found.name)?.settings.length ?? 0) > 0,
        scripts: scripts.length,
        scripts_waiting: scripts.filter(({ state }) => state === 'none' || state === 'changed').length,
        packaged: this.catalogue.isPackage(name),
        newer,
        newer_beta: newer !== '' && update!.newerBeta,
        betas: update?.betas ?? '',
        before: this.catalogue.hasBefore(name),
        removable: this.catalogue.isInstalled(name) && active.length === 0 && !parents.has(name),
        problems: problems.filter(({ theme }) => theme === name).map(({ view, message, count }) => ({ view, message, count })),
      };
    });
  }
}
