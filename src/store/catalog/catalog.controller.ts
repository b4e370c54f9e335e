import { Get } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { ApiPage, Query, StoreAccess, StoreController } from '../http/index.js';
import { Item, itemRow } from '../items/index.js';

import { FindItemsForm, queryOf } from './catalog.forms.js';
import { ItemFinder } from './item-finder.js';

/** Listing and search of published items. */
@StoreController('items')
export class CatalogController {
  constructor(private readonly finder: ItemFinder) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'Lists published items' })
  @ApiPage(Item)
  async list(@Query() form: FindItemsForm) {
    const query = queryOf(form);
    const { items, total } = await this.finder.find(query);
    return { items: items.map(itemRow), total, page: query.page, page_size: query.limit };
  }
}
