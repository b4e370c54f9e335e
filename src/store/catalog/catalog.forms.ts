import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { toFen } from '../../common/index.js';
import { MAX_ID } from '../../database/index.js';
import { ApiProperty, EmptyIsUnset } from '../../http/index.js';
import type { ItemType } from '../entities/index.js';
import { Paging, sliceOf } from '../call/index.js';
import { ITEM_SORTS, type ItemQuery, type ItemSort } from '../search/index.js';

/** Default items per page. */
const DEFAULT_PAGE_SIZE = 12;
const DEFAULT_SORT: ItemSort = 'newest';

const toId = ({ value }: { value: unknown }): unknown =>
  value === '' || value === undefined ? undefined : /^\d{1,10}$/.test(String(value)) ? Number(value) : value;
/** Converts yuan to fen; an invalid amount is passed on and rejected by the validation. */
const toPrice = ({ value }: { value: unknown }): unknown =>
  value === '' || value === undefined ? undefined : (toFen(String(value), 2) ?? value);

const PRICE = { type: 'number', minimum: 0, description: 'In yuan, inclusive; at most two decimals' } as const;

/** Query of `GET /items`. */
export class FindItemsForm extends Paging {
  @ApiProperty({ default: DEFAULT_PAGE_SIZE }) override page_size?: number = undefined;
  @IsOptional() @EmptyIsUnset() @IsIn(['plugin', 'theme'], { message: 'store.find_type' }) type?: ItemType;
  @IsOptional() @IsString() @MaxLength(200, { message: 'store.find_keyword' }) keyword?: string;
  @IsOptional() @EmptyIsUnset() @MaxLength(40, { message: 'store.find_category' }) category?: string;
  @IsOptional()
  @Transform(toId)
  @IsInt({ message: 'store.find_author' })
  @Max(MAX_ID, { message: 'store.find_author' })
  author_id?: number;
  @IsOptional()
  @Transform(toPrice)
  @IsInt({ message: 'store.find_price' })
  @Min(0, { message: 'store.find_price' })
  @ApiProperty(PRICE)
  min_price?: number;
  @IsOptional()
  @Transform(toPrice)
  @IsInt({ message: 'store.find_price' })
  @Min(0, { message: 'store.find_price' })
  @ApiProperty(PRICE)
  max_price?: number;
  @IsOptional()
  @EmptyIsUnset()
  @IsIn(ITEM_SORTS, { message: 'store.find_sort' })
  @ApiProperty({ default: DEFAULT_SORT })
  sort?: ItemSort;
}

/** Turns a {@link FindItemsForm} into a query; the `relevance` sort needs a keyword and falls back to the default without one. */
export function queryOf(form: FindItemsForm): ItemQuery & { page: number } {
  const { page, pageSize, offset } = sliceOf(form, DEFAULT_PAGE_SIZE);
  const keyword = form.keyword?.trim() || undefined;
  const sort = form.sort ?? DEFAULT_SORT;
  return {
    keyword,
    type: form.type,
    category: form.category,
    authorId: form.author_id,
    minPrice: form.min_price,
    maxPrice: form.max_price,
    sort: keyword === undefined && sort === 'relevance' ? DEFAULT_SORT : sort,
    page,
    offset,
    limit: pageSize,
  };
}
