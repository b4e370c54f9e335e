import { Get, Param } from '@nestjs/common';

import { StoreError } from '../errors.js';
import { Call, Id, StoreAccess, StoreController, type StoreCall } from '../http/index.js';

import { PublicItems } from './public-items.js';

/** What everybody may look at. */
@StoreController('items')
export class ItemsController {
  constructor(private readonly items: PublicItems) {}

  @Get('by-slug/:type/:slug')
  @StoreAccess('public', 'read')
  async bySlug(@Call() { caller }: StoreCall, @Param('type') type: string, @Param('slug') slug: string) {
    if (type !== 'plugin' && type !== 'theme') throw new StoreError('NOT_FOUND', {}, 'store.item_not_found');
    return this.items.row(await this.items.require({ type, slugKey: slug.toLowerCase() }, caller), caller);
  }

  @Get(':id')
  @StoreAccess('public', 'read')
  async detail(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.row(await this.items.require({ id }, caller), caller);
  }

  @Get(':id/versions')
  @StoreAccess('public', 'read')
  async versions(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.versions(await this.items.require({ id }, caller));
  }
}
