import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { WholeNumber } from './input-fields.js';

/** Fields of every list. Source: docs/panel-api.md "Lists". */
export class ListInput {
  /** From 1. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  /** Rows per page, 1 to 200. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(200) limit = 20;
  /** A column the list allows; any other is ignored. */
  @IsOptional() @IsString() @MaxLength(64) sort?: string;
  @IsOptional() @Transform(({ value }) => (String(value).toLowerCase() === 'asc' ? 'asc' : 'desc')) sortOrder: 'asc' | 'desc' = 'desc';
  /** JSON `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains. */
  @IsOptional() @IsString() @MaxLength(1_000) where?: string;
  /** Free text, searched in the list's search columns. */
  @IsOptional() @IsString() @MaxLength(100) ss?: string;
}
