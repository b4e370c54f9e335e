import { Controller } from '@nestjs/common';

import { PLUGIN_SLUG } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing } from '../web/index.js';

import { PackageExchange } from './package-exchange.js';
import { PluginBetas } from './plugin-betas.js';
import { StoreCatalogue } from './store-catalogue.js';
import { StoreShelf, type Shelf } from './store-shelf.js';

/** Store pages: the catalogue and one plugin. */
@Controller()
export class PluginStorePages {
  private readonly plugins: Shelf;

  constructor(
    private readonly shelf: StoreShelf,
    private readonly catalogue: StoreCatalogue,
    private readonly exchange: PackageExchange,
    private readonly betas: PluginBetas,
  ) {
    this.plugins = {
      type: 'plugin',
      path: '/admin/plugin-store',
      shown: (item) => catalogue.shown(item),
      versions: (item) => catalogue.versions(item),
    };
  }

  @Page({
    side: 'admin',
    path: 'plugin-store',
    title: 'pluginStore.menu.plugin_store',
    menu: { icon: 'mdi-storefront-outline', order: 41 },
    needs: ['plugin_store'],
  })
  async store(call: RequestContext): Promise<object> {
    return { ...(await this.shelf.search(this.plugins, call)), betas: String(this.betas.byDefault) };
  }

  /** A plugin in the store. */
  @Page({ side: 'admin', path: 'plugin-store-item', title: 'pluginStore.menu.plugin_store', needs: ['plugin_store'] })
  async item(call: RequestContext): Promise<object> {
    const slug = call.query.slug ?? '';
    if (!PLUGIN_SLUG.test(slug)) throw new PageMissing();
    const row = this.catalogue.isOfStore(slug) ? await this.exchange.rowOf(slug) : null;
    return { ...(await this.shelf.item(this.plugins, slug, call)), betas: row && { choice: row.betas, by_default: this.betas.byDefault } };
  }
}
