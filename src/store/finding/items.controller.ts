import { Get, Param } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import type { ItemType } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { Call, Id, Paging, Query, sliceOf, StoreAccess, StoreController, type StoreCall } from '../http/index.js';

import { PublicItems, type ItemSort } from './public-items.js';

const USUAL_PAGE = 12;
const blankIsNothing = ({ value }: { value: unknown }): unknown => (value === '' ? undefined : value);
/** Yuan as fen; what is no amount stays, and fails its rule. */
const amount = ({ value }: { value: unknown }): unknown => (value === undefined || value === '' ? undefined : (toFen(String(value)) ?? value));

class ItemsQuery extends Paging {
  @Transform(blankIsNothing)
  @IsOptional()
  @IsIn(['plugin', 'theme'], { message: 'store.type_required' })
  type?: ItemType;

  @Transform(blankIsNothing)
  @IsOptional()
  @IsString()
  @MaxLength(100, { message: 'store.keyword_too_long' })
  keyword?: string;

  @Transform(blankIsNothing)
  @IsOptional()
  @IsString()
  @MaxLength(40, { message: 'store.category_invalid' })
  category?: string;

  @Transform(({ value }: { value: unknown }) => (value === undefined || value === '' ? undefined : Number(value)))
  @IsOptional()
  @IsInt({ message: 'store.id_invalid' })
  @Min(1, { message: 'store.id_invalid' })
  @Max(2_147_483_647, { message: 'store.id_invalid' })
  author_id?: number;

  @Transform(amount)
  @IsOptional()
  @IsNumber({}, { message: 'store.price_invalid' })
  min_price?: number;

  @Transform(amount)
  @IsOptional()
  @IsNumber({}, { message: 'store.price_invalid' })
  max_price?: number;

  @Transform(blankIsNothing)
  @IsOptional()
  @IsIn(['newest', 'downloads', 'price'], { message: 'store.sort_invalid' })
  sort?: ItemSort;
}

class CategoriesQuery {
  @IsOptional()
  @IsIn(['counts', ''], { message: 'store.with_invalid' })
  with?: 'counts' | '';
}

/** What everybody may look at. */
@StoreController('items')
export class ItemsController {
  constructor(private readonly items: PublicItems) {}

  @Get()
  @StoreAccess('public', 'read')
  list(@Query(ItemsQuery) query: ItemsQuery) {
    const { type, category, author_id, min_price, max_price, sort = 'newest' } = query;
    const filter = { type, category, authorId: author_id, minPrice: min_price, maxPrice: max_price, sort, keyword: query.keyword?.trim() || undefined };
    return this.items.page(filter, sliceOf(query, USUAL_PAGE));
  }

  @Get('categories')
  @StoreAccess('public', 'read')
  categories(@Query(CategoriesQuery) query: CategoriesQuery) {
    return this.items.categoryList(query.with === 'counts');
  }

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
