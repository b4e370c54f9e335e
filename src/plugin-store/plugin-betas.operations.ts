import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../operations/index.js';

import { PluginStoreError } from './errors.js';
import { NewerVersions } from './newer-versions.js';
import { PluginBetas } from './plugin-betas.js';
import { BetasInput } from './plugin-store.inputs.js';
import { StoreCatalogue } from './store-catalogue.js';

/** Opt-in to betas. Source: docs/panel-api.md "Plugins". */
@Injectable()
export class PluginBetasOperations {
  constructor(
    private readonly betas: PluginBetas,
    private readonly newer: NewerVersions,
    private readonly catalogue: StoreCatalogue,
  ) {}

  /**
   * Sets whether betas count as newer versions, and checks for newer versions immediately if the store is reachable.
   *
   * @throws PluginStoreError NOT_INSTALLED, NOT_FROM_STORE for a plugin without a store to query
   */
  @Operation({ side: 'admin', gn: 'plugin_betas', auth: 'admin', input: BetasInput, audit: 'pluginStore.audit.betas', rate: 'expensive' })
  async choose({ slug, betas }: BetasInput): Promise<SuccessReply> {
    if (slug === '') {
      if (betas === '') throw new PluginStoreError('BETAS_UNSAID');
      await this.betas.setDefault(betas === 'true');
    } else await this.betas.choose(await this.catalogue.requireOfStore(slug), betas);
    await this.newer.check().catch((error: unknown) => {
      if (!(error instanceof PluginStoreError)) throw error;
    });
    return new SuccessReply('pluginStore.betas_saved');
  }
}
