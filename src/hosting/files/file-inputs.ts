import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { OneOf, Switch, WholeNumber } from '../../operations/index.js';

const MAX_PATH = 4_096;
const MAX_TEXT = 4 * 1024 * 1024;
/** Largest file with exact offsets. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** An optional text field. */
const Text = (maxLength = MAX_PATH): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(maxLength));
/** A path from the web root. A missing leading `/` is added. */
const Path = (): PropertyDecorator =>
  all(
    Text(),
    Transform(({ value }) => fromRoot(value)),
  );
const Bytes = (): PropertyDecorator => all(WholeNumber(), IsInt(), Min(0), Max(MAX_BYTES));
const Encoding = (): PropertyDecorator => all(IsOptional(), OneOf(['utf-8', 'utf8', 'gbk', 'gb18030', 'gb2312']));
/** Names or paths: a JSON array (`idsz[]=…` is parsed into one), or one name. */
const Names = (): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(1_000_000));

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

function fromRoot(value: unknown): unknown {
  return typeof value !== 'string' || value.startsWith('/') ? value : `/${value}`;
}

/** Maps the column names clients send to the server's sort keys. */
const SORTS: Readonly<Record<string, 'name' | 'size' | 'changed'>> = {
  name: 'name',
  type: 'name',
  size: 'size',
  mtime: 'changed',
  date: 'changed',
  dx: 'size',
};

/** Input: a page of a folder's entries. */
export class FileListInput {
  @Path() path = '/';
  @IsOptional() @Transform(({ value }) => SORTS[String(value).toLowerCase()] ?? 'name') sort: 'name' | 'size' | 'changed' = 'name';
  @IsOptional() @Transform(({ value }) => (String(value).toLowerCase() === 'desc' ? 'desc' : 'asc')) sortOrder: 'asc' | 'desc' = 'asc';
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(1_000) limit = 100;
  /** Part of a name; subfolders are searched as well. */
  @Text(100) ss?: string;
}

/** One file: its path, or a folder and a name. */
export class FileInput {
  @Path() wj?: string;
  @Path() path?: string;
  @Text() name?: string;
}

/** A file and its content. */
export class WriteFileInput extends FileInput {
  @Text(MAX_TEXT) nr?: string;
  @Text(MAX_TEXT) content?: string;
  /** Expected current version: the one it was read with, or its modification time in Unix seconds. */
  @Text(100) row_version?: string;
  @Text(100) mtime?: string;
}

/** A new entry in a folder. */
export class NewFileInput {
  @Path() ml?: string;
  @Path() path?: string;
  @Text() wjname?: string;
  @Text() name?: string;
}

/** One entry to move to the trash. */
export class DeleteFileInput {
  /** `file`, or anything else for a folder; both are handled alike. */
  @Text(20) lx?: string;
  @Path() path = '/';
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) name!: string;
}

/** Several entries to move to the trash. */
export class DeleteFilesInput {
  @Names() idsz?: string;
  @Path() path = '/';
}

/** A new name. */
export class RenameFileInput {
  @IsString() @MaxLength(MAX_PATH) wjjm!: string;
  @IsString() @MaxLength(MAX_PATH) wjmc!: string;
  @Path() lj?: string;
  @Path() path?: string;
}

/** Input: folder to be measured. */
export class FileSizeInput {
  @Path() dw?: string;
  @Path() path?: string;
}

/** Identifies an upload. */
export class UploadInput {
  @Path() htl?: string;
  @Path() path?: string;
  @Text() fename?: string;
  @Text() tempfilename?: string;
  @Text() name?: string;
  @IsOptional() @Bytes() size?: number;
  @IsOptional() @Bytes() zsize?: number;
  /** Distinguishes it from another file of the same name and size. */
  @Text(100) tag = '';
}

/** A piece of an upload. */
export class UploadPieceInput extends UploadInput {
  /** Offset of the piece. */
  @IsOptional() @Bytes() fesw = 0;
}

/** Input: entries to be copied or moved, and their destination. */
export class RelocateInput {
  @Names() yfile?: string;
  @Path() ypath = '/';
  @Path() xpath = '/';
  /** 1 copies, 2 moves. */
  @IsIn(['1', '2']) type!: '1' | '2';
}

/** Input: entries to be packed. */
export class PackInput {
  @Names() file?: string;
  @Path() path = '/';
  /** Path of the archive. Relative to `path` unless it begins with `/`; `.zip` is appended if it has no known suffix. */
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) dpath!: string;
  /** Kind of the archive, if its name does not tell. */
  @IsOptional() @OneOf(['zip', 'tar.gz']) type?: 'zip' | 'tar.gz';
}

/** Input: archive to be unpacked, and its destination. */
export class UnpackInput {
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) @Transform(({ value }) => fromRoot(value)) jywj!: string;
  /** If omitted: the folder of the archive. */
  @Text() @Transform(({ value }) => (value === '' ? undefined : fromRoot(value))) jyd?: string;
  /** Encoding of names the archive does not declare; `wbbm` is sent by older pages of the panel. */
  @Encoding() wjbm?: string;
  @Encoding() wbbm?: string;
  /** Passwords are not supported: any value is rejected. */
  @Text(1_000) jymm?: string;
}

/** Input: a page of the trash. */
export class TrashListInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(200) limit = 20;
}

/** Input: entries of the trash. */
export class TrashInput {
  /** Ids from the trash list, separated by commas or as a JSON array. */
  @Names() idsz?: string;
}

/** Input: trash entries to be permanently removed. */
export class EmptyTrashInput extends TrashInput {
  /** Removes everything in the trash. */
  @IsOptional() @Switch() all?: boolean;
}

/** Names a task. */
export class FileTaskInput {
  @IsString() @IsNotEmpty() @MaxLength(60) task_id!: string;
}
