import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { WholeNumber } from '../../operations/index.js';

const MAX_PATH = 4_096;

/** A field that holds a path of the site; `/` where nothing is said. */
export const PathField = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), IsString(), MaxLength(MAX_PATH)]) decorate(target, property);
};

/** Names of columns as clients write them, and what the server sorts by. */
const SORTS: Readonly<Record<string, 'name' | 'size' | 'changed'>> = {
  name: 'name',
  type: 'name',
  size: 'size',
  mtime: 'changed',
  date: 'changed',
};

/** Which part of which folder. */
export class FileListInput {
  @PathField() path = '/';
  @IsOptional() @Transform(({ value }) => SORTS[String(value).toLowerCase()] ?? 'name') sort: 'name' | 'size' | 'changed' = 'name';
  @IsOptional() @Transform(({ value }) => (String(value).toLowerCase() === 'desc' ? 'desc' : 'asc')) sortOrder: 'asc' | 'desc' = 'asc';
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(1_000) limit = 100;
  /** Part of a name: the folders below are looked through too. */
  @IsOptional() @IsString() @MaxLength(100) ss?: string;
}

const HostField = (): PropertyDecorator => (target, property) => {
  for (const decorate of [WholeNumber(), IsInt(), Min(1), Max(2_147_483_647)]) decorate(target, property);
};

/** The same of any host. */
export class HostFileListInput extends FileListInput {
  @HostField() id!: number;
}
