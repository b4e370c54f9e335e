import { Get, Param } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { StoreError } from '../errors.js';
import { Call, Describe, Id, shape, StoreAccess, StoreController, type StoreCall } from '../http/index.js';
import { ITEM_DETAIL, VERSION } from '../items/item-shapes.js';

import { PublicItems } from './public-items.js';

/** What everybody may look at. */
@StoreController('items')
export class ItemsController {
  constructor(private readonly items: PublicItems) {}

  @Get('by-slug/:type/:slug')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'An item by its slug', answers: ITEM_DETAIL })
  async bySlug(@Call() { caller }: StoreCall, @Param('type') type: string, @Param('slug') slug: string) {
    if (type !== 'plugin' && type !== 'theme') throw new StoreError('NOT_FOUND', {}, 'store.item_not_found');
    return this.items.row(await this.items.require({ type, slugKey: slug.toLowerCase() }, caller), caller);
  }

  @Get(':id')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'An item', answers: ITEM_DETAIL })
  async detail(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.row(await this.items.require({ id }, caller), caller);
  }

  @Get(':id/versions')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'Versions of an item, newest first', answers: shape.list(VERSION) })
  async versions(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.versions(await this.items.require({ id }, caller));
  }
}
