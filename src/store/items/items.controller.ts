import { Get, Param } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { StoreError } from '../errors.js';
import { Call, type StoreCall } from '../call/index.js';
import { Describe, Id, Query, shape, StoreAccess, StoreController } from '../http/index.js';

import { Categories } from './categories.js';
import { ITEM_DETAIL, VERSION } from './item-shapes.js';
import { PublicItems } from './public-items.js';

/** A category with its count. */
const CATEGORY = shape.named(
  'Category',
  shape.record({ name: shape.text(undefined, { maxLength: 40 }), count: shape.count('Published items in it') }),
);

class CategoriesQuery {
  @IsOptional() @IsIn(['counts', ''], { message: 'store.categories_with' }) with?: string;
}

/** What everybody may look at. */
@StoreController('items')
export class ItemsController {
  constructor(
    private readonly items: PublicItems,
    private readonly categories: Categories,
  ) {}

  @Get('categories')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({
    summary: 'Categories in use and suggested ones, by name; with their counts where asked for',
    answers: shape.either(shape.list(shape.text()), shape.list(CATEGORY)),
  })
  async listCategories(@Query(CategoriesQuery) query: CategoriesQuery) {
    const all = await this.categories.list();
    return query.with === 'counts' ? all : all.map(({ name }) => name);
  }

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
