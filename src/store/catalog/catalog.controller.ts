import { Get } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { Describe, Query, shape, StoreAccess, StoreController } from '../http/index.js';
import { ITEM, itemRow } from '../items/index.js';

import { FindItemsForm, queryOf } from './catalog.forms.js';
import { ItemFinder } from './item-finder.js';

/** How published items are found. */
@StoreController('items')
export class CatalogController {
  constructor(private readonly finder: ItemFinder) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'Published items', answers: shape.page(ITEM), usual: { page: 1, page_size: 12, sort: 'newest' } })
  async list(@Query(FindItemsForm) form: FindItemsForm) {
    const query = queryOf(form);
    const { items, total } = await this.finder.find(query);
    return { items: items.map(itemRow), total, page: query.page, page_size: query.limit };
  }
}
