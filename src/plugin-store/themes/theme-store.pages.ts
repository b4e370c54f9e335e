import { Controller } from '@nestjs/common';

import { isThemeName } from '../../theme/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing } from '../../web/index.js';
import { StoreShelf, type Shelf } from '../store-shelf.js';
import { ThemeShelf } from './theme-shelf.js';

/** The themes of the store: what there is, and one of them. */
@Controller()
export class ThemeStorePages {
  private readonly themes: Shelf;

  constructor(
    private readonly shelf: StoreShelf,
    themes: ThemeShelf,
  ) {
    this.themes = {
      type: 'theme',
      path: '/admin/theme-store',
      shown: (item) => themes.shown(item),
      versions: (item) => themes.versions(item),
    };
  }

  @Page({ side: 'admin', path: 'theme-store', title: 'theme.menu.theme_store', needs: ['theme_store'] })
  store(call: RequestContext): Promise<object> {
    return this.shelf.search(this.themes, call);
  }

  /** One theme of the store. */
  @Page({ side: 'admin', path: 'theme-store-item', title: 'theme.menu.theme_store', needs: ['theme_store'] })
  item(call: RequestContext): Promise<object> {
    const slug = call.query.slug ?? '';
    if (!isThemeName(slug)) throw new PageMissing();
    return this.shelf.item(this.themes, slug, call);
  }
}
