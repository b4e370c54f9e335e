import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { ApiProperty } from '../../http/index.js';

/** Maximum rows per page. */
export const MAX_PAGE_SIZE = 100;
/** Default rows per page. */
const DEFAULT_PAGE_SIZE = 20;
/** Highest page number allowed. */
const MAX_PAGE = 1_000_000;

const toNumber = ({ value }: { value: unknown }): unknown =>
  value === undefined || value === '' ? undefined : /^\d{1,9}$/.test(String(value)) ? Number(value) : value;

/** Paging parameters: `page` from 1, `page_size` or `limit`, which tables of deployed front ends send. */
export class Paging {
  @IsOptional()
  @Transform(toNumber)
  @IsInt({ message: 'store.page_invalid' })
  @Min(1, { message: 'store.page_invalid' })
  @Max(MAX_PAGE, { message: 'store.page_invalid' })
  @ApiProperty({ default: 1 })
  page?: number;

  @IsOptional()
  @Transform(toNumber)
  @IsInt({ message: 'store.page_size_invalid' })
  @Min(1, { message: 'store.page_size_invalid' })
  @Max(MAX_PAGE_SIZE, { message: 'store.page_size_invalid' })
  @ApiProperty({ default: DEFAULT_PAGE_SIZE })
  page_size?: number;

  @IsOptional()
  @Transform(toNumber)
  @IsInt({ message: 'store.page_size_invalid' })
  @Min(1, { message: 'store.page_size_invalid' })
  @Max(MAX_PAGE_SIZE, { message: 'store.page_size_invalid' })
  limit?: number;
}

/** Page number, size and offset. */
export interface PageSlice {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/** Converts {@link Paging} to a slice. @param defaultSize default rows per page */
export function sliceOf({ page = 1, page_size, limit }: Paging, defaultSize = DEFAULT_PAGE_SIZE): PageSlice {
  const pageSize = page_size ?? limit ?? defaultSize;
  return { page, pageSize, offset: (page - 1) * pageSize };
}
