import { Injectable } from '@nestjs/common';

import { SiteSettings, ThemeUpdates, type ThemeBetaChoice } from '../../site/index.js';

/** Opt-in to betas as newer versions, for the panel and per theme. */
@Injectable()
export class ThemeBetas {
  constructor(
    private readonly settings: SiteSettings,
    private readonly updates: ThemeUpdates,
  ) {}

  /** Default for themes without their own setting. */
  get byDefault(): boolean {
    return this.settings.current.themeBetas;
  }

  areWanted(choice: ThemeBetaChoice = ''): boolean {
    return choice === '' ? this.byDefault : choice === 'true';
  }

  /** Setting of a theme. */
  async choiceOf(theme: string): Promise<ThemeBetaChoice> {
    return (await this.updates.of(theme)).betas;
  }

  /** Sets the default for themes without their own setting. */
  async setDefault(areWanted: boolean): Promise<void> {
    await this.settings.change({ themeBetas: areWanted });
    await this.forgetUnwanted();
  }

  async choose(theme: string, betas: ThemeBetaChoice): Promise<void> {
    await this.updates.chooseBetas(theme, betas);
    await this.forgetUnwanted();
  }

  /** Clears betas that were found while betas were enabled. */
  private async forgetUnwanted(): Promise<void> {
    for (const [theme, { betas, newerBeta }] of await this.updates.all())
      if (newerBeta && !this.areWanted(betas)) await this.updates.note(theme, '', false);
  }
}
