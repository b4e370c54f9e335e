import { Injectable } from '@nestjs/common';

import { SiteSettings, ThemeUpdates, type ThemeBetaChoice } from '../../site/index.js';

/** Who wants betas: whether they count as newer versions, for the panel and for each theme. */
@Injectable()
export class ThemeBetas {
  constructor(
    private readonly settings: SiteSettings,
    private readonly updates: ThemeUpdates,
  ) {}

  /** What holds for themes that have no choice of their own. */
  get byDefault(): boolean {
    return this.settings.current.themeBetas;
  }

  areWanted(choice: ThemeBetaChoice = ''): boolean {
    return choice === '' ? this.byDefault : choice === 'true';
  }

  /** The choice of a theme. */
  async choiceOf(theme: string): Promise<ThemeBetaChoice> {
    return (await this.updates.of(theme)).betas;
  }

  /** Sets what holds for themes that have no choice of their own. */
  async setDefault(areWanted: boolean): Promise<void> {
    await this.settings.change({ themeBetas: areWanted });
    await this.forgetUnwanted();
  }

  async choose(theme: string, betas: ThemeBetaChoice): Promise<void> {
    await this.updates.chooseBetas(theme, betas);
    await this.forgetUnwanted();
  }

  /** A beta that was found while betas were wanted is not offered any more. */
  private async forgetUnwanted(): Promise<void> {
    for (const [theme, { betas, newerBeta }] of await this.updates.all())
      if (newerBeta && !this.areWanted(betas)) await this.updates.note(theme, '', false);
  }
}
