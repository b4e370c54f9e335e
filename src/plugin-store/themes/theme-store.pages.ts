import { Controller } from '@nestjs/common';

import { isThemeName } from '../../theme/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing } from '../../web/index.js';
import { StoreShelf, type Shelf } from '../store-shelf.js';
import { ThemeBetas } from './theme-betas.js';
import { ThemeShelf } from './theme-shelf.js';
import { ThemeVersions } from './theme-versions.js';

/** Store pages: the themes and one theme. */
@Controller()
export class ThemeStorePages {
  private readonly themes: Shelf;

  constructor(
    private readonly shelf: StoreShelf,
    themes: ThemeShelf,
    private readonly versions: ThemeVersions,
    private readonly betas: ThemeBetas,
  ) {
    this.themes = {
      type: 'theme',
      path: '/admin/theme-store',
      shown: (item) => themes.shown(item),
      versions: (item) => themes.versions(item),
    };
  }

  @Page({ side: 'admin', path: 'theme-store', title: 'pluginStore.menu.theme_store', needs: ['theme_store'] })
  async store(call: RequestContext): Promise<object> {
    return { ...(await this.shelf.search(this.themes, call)), betas: String(this.betas.byDefault) };
  }

  /** A theme in the store. */
  @Page({ side: 'admin', path: 'theme-store-item', title: 'pluginStore.menu.theme_store', needs: ['theme_store'] })
  async item(call: RequestContext): Promise<object> {
    const slug = call.query.slug ?? '';
    if (!isThemeName(slug)) throw new PageMissing();
    const choice = this.versions.isOfStore(slug) ? await this.betas.choiceOf(slug) : null;
    return { ...(await this.shelf.item(this.themes, slug, call)), betas: choice !== null && { choice, by_default: this.betas.byDefault } };
  }
}
