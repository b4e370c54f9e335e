import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';

import { Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { ThemeBetaChoice } from '../../site/index.js';
import { PluginStoreError } from '../errors.js';
import { ThemeBetas } from './theme-betas.js';
import { ThemeVersions } from './theme-versions.js';

/** Whether betas are offered, for a theme or as the default. */
class ThemeBetasInput {
  /** Empty: the panel's default. */
  @IsOptional() @IsString() @Trimmed() @Matches(/^[a-zA-Z0-9_-]{0,64}$/, { message: 'pluginStore.theme_name' }) name = '';
  /** Empty, for one theme: use the panel's default. */
  @IsIn(['true', 'false', ''], { message: 'pluginStore.theme_betas_invalid' }) betas!: ThemeBetaChoice;
}

/** Opt-in to betas of themes. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemeBetasOperations {
  constructor(
    private readonly betas: ThemeBetas,
    private readonly versions: ThemeVersions,
  ) {}

  /**
   * Sets whether betas count as newer versions, and checks for newer versions immediately if the store is reachable.
   *
   * @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE
   */
  @Operation({
    side: 'admin',
    gn: 'theme_betas',
    auth: 'admin',
    input: ThemeBetasInput,
    audit: 'pluginStore.audit.theme_betas',
    rate: 'expensive',
  })
  async choose({ name, betas }: ThemeBetasInput): Promise<SuccessReply> {
    if (name === '') {
      if (betas === '') throw new PluginStoreError('THEME_BETAS_UNSAID');
      await this.betas.setDefault(betas === 'true');
    } else {
      this.versions.requireOfStore(name);
      await this.betas.choose(name, betas);
    }
    await this.versions.check().catch((error: unknown) => {
      if (!(error instanceof PluginStoreError)) throw error;
    });
    return new SuccessReply('pluginStore.betas_saved');
  }
}
