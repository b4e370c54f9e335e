import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { ApiProperty } from '../../http/index.js';

/** Most rows of a page. */
export const MAX_PAGE_SIZE = 100;
/** Rows of a page where nothing is said. */
const USUAL_PAGE_SIZE = 20;
/** Last page anybody may ask for. */
const MAX_PAGE = 1_000_000;

const toNumber = ({ value }: { value: unknown }): unknown =>
  value === undefined || value === '' ? undefined : /^\d{1,9}$/.test(String(value)) ? Number(value) : value;

/** Which part of a list is asked for: `page` from 1, `page_size` or, as tables of deployed front ends send it, `limit`. */
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
  @ApiProperty({ default: USUAL_PAGE_SIZE })
  page_size?: number;

  @IsOptional()
  @Transform(toNumber)
  @IsInt({ message: 'store.page_size_invalid' })
  @Min(1, { message: 'store.page_size_invalid' })
  @Max(MAX_PAGE_SIZE, { message: 'store.page_size_invalid' })
  limit?: number;
}

/** A page: which, and how many rows. */
export interface PageSlice {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/** The page of {@link Paging}. @param usual rows where nothing is said */
export function sliceOf({ page = 1, page_size, limit }: Paging, usual = USUAL_PAGE_SIZE): PageSlice {
  const pageSize = page_size ?? limit ?? usual;
  return { page, pageSize, offset: (page - 1) * pageSize };
}
