import { Get, Param } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiExtraModels, ApiOperation, ApiParam } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { Call, type StoreCall } from '../call/index.js';
import { ApiData, ApiDataSchema, ApiList, Id, Query, refTo, StoreAccess, StoreController } from '../http/index.js';

import { Categories } from './categories.js';
import { CategoryDto, ItemDetail, Version } from './item.dto.js';
import { PublicItems } from './public-items.js';

class CategoriesQuery {
  @IsOptional() @IsIn(['counts', ''], { message: 'store.categories_with' }) with?: string;
}

/** Public endpoints of items. */
@StoreController('items')
export class ItemsController {
  constructor(
    private readonly items: PublicItems,
    private readonly categories: Categories,
  ) {}

  @Get('categories')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'Used and suggested categories, by name; with counts on request' })
  @ApiExtraModels(CategoryDto)
  @ApiDataSchema({
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: refTo(CategoryDto) },
    ],
  })
  async listCategories(@Query() query: CategoriesQuery) {
    const all = await this.categories.list();
    return query.with === 'counts' ? all : all.map(({ name }) => name);
  }

  @Get('by-slug/:type/:slug')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'An item by its slug' })
  @ApiParam({ name: 'type', schema: { type: 'string', enum: ['plugin', 'theme'] } })
  @ApiParam({ name: 'slug', description: 'Ignoring case', schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,63}$' } })
  @ApiData(ItemDetail)
  async bySlug(@Call() { caller }: StoreCall, @Param('type') type: string, @Param('slug') slug: string) {
    if (type !== 'plugin' && type !== 'theme') throw new StoreError('ITEM_NOT_FOUND');
    return this.items.row(await this.items.require({ type, slugKey: slug.toLowerCase() }, caller), caller);
  }

  @Get(':id')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'An item' })
  @ApiData(ItemDetail)
  async detail(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.row(await this.items.require({ id }, caller), caller);
  }

  @Get(':id/versions')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'Versions of an item, newest first' })
  @ApiList(Version)
  async versions(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.items.versions(await this.items.require({ id }, caller));
  }
}
