import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { OneOf, Switch, WholeNumber } from '../../operations/index.js';

const MAX_PATH = 4_096;
const MAX_TEXT = 4 * 1024 * 1024;
/** Largest file whose offsets are exact. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** A text field with this default where nothing is said, and nothing where there is none. */
const Text = (most = MAX_PATH): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(most));
/** A path from the web root: whoever writes none, or none of its first `/`, means the same. */
const Path = (): PropertyDecorator =>
  all(
    Text(),
    Transform(({ value }) => fromRoot(value)),
  );
const Bytes = (): PropertyDecorator => all(WholeNumber(), IsInt(), Min(0), Max(MAX_BYTES));
const Encoding = (): PropertyDecorator => all(IsOptional(), OneOf(['utf-8', 'utf8', 'gbk', 'gb18030', 'gb2312']));
/** Names or paths: a JSON array (`idsz[]=…` arrives so), or one name. */
const Names = (): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(1_000_000));

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

function fromRoot(value: unknown): unknown {
  return typeof value !== 'string' || value.startsWith('/') ? value : `/${value}`;
}

/** Names of columns as clients write them, and what the server sorts by. */
const SORTS: Readonly<Record<string, 'name' | 'size' | 'changed'>> = {
  name: 'name',
  type: 'name',
  size: 'size',
  mtime: 'changed',
  date: 'changed',
  dx: 'size',
};

/** Which part of which folder. */
export class FileListInput {
  @Path() path = '/';
  @IsOptional() @Transform(({ value }) => SORTS[String(value).toLowerCase()] ?? 'name') sort: 'name' | 'size' | 'changed' = 'name';
  @IsOptional() @Transform(({ value }) => (String(value).toLowerCase() === 'desc' ? 'desc' : 'asc')) sortOrder: 'asc' | 'desc' = 'asc';
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(1_000) limit = 100;
  /** Part of a name: the folders below are looked through too. */
  @Text(100) ss?: string;
}

/** One file: its path, or a folder and a name. */
export class FileInput {
  @Path() wj?: string;
  @Path() path?: string;
  @Text() name?: string;
}

/** A file and what is in it. */
export class WriteFileInput extends FileInput {
  @Text(MAX_TEXT) nr?: string;
  @Text(MAX_TEXT) content?: string;
  /** What it is compared with: the version it was read with, or Unix seconds of its last change. */
  @Text(100) row_version?: string;
  @Text(100) mtime?: string;
}

/** Something new in a folder. */
export class NewFileInput {
  @Path() ml?: string;
  @Path() path?: string;
  @Text() wjname?: string;
  @Text() name?: string;
}

/** One thing that goes to the trash. */
export class DeleteFileInput {
  /** `file`, or anything for a folder; both go the same way. */
  @Text(20) lx?: string;
  @Path() path = '/';
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) name!: string;
}

/** Several of them. */
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

/** Which upload. */
export class UploadInput {
  @Path() htl?: string;
  @Path() path?: string;
  @Text() fename?: string;
  @Text() tempfilename?: string;
  @Text() name?: string;
  @IsOptional() @Bytes() size?: number;
  @IsOptional() @Bytes() zsize?: number;
  /** Tells it from another file of that name and size. */
  @Text(100) tag = '';
}

/** A piece of it. */
export class UploadPieceInput extends UploadInput {
  /** Where the piece begins. */
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
  /** Path of the archive; in `path` where it does not begin with `/`, a `.zip` where its end says nothing. */
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) dpath!: string;
  /** Kind of the archive, where its name says nothing. */
  @IsOptional() @OneOf(['zip', 'tar.gz']) type?: 'zip' | 'tar.gz';
}

/** Input: archive to be unpacked, and its destination. */
export class UnpackInput {
  @IsString() @IsNotEmpty() @MaxLength(MAX_PATH) @Transform(({ value }) => fromRoot(value)) jywj!: string;
  /** None: beside the archive. */
  @Text() @Transform(({ value }) => (value === '' ? undefined : fromRoot(value))) jyd?: string;
  /** Encoding of names that do not say it; `wbbm` is what older pages of the panel sent. */
  @Encoding() wjbm?: string;
  @Encoding() wbbm?: string;
  /** A password; anything but nothing is refused. */
  @Text(1_000) jymm?: string;
}

/** Which part of the trash. */
export class TrashListInput {
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(200) limit = 20;
}

/** Input: entries of the trash. */
export class TrashInput {
  /** Ids of the list, with commas or as a JSON array. */
  @Names() idsz?: string;
}

/** Input: entries of the trash to be removed for good. */
export class EmptyTrashInput extends TrashInput {
  /** All of it. */
  @IsOptional() @Switch() all?: boolean;
}

/** Names a task. */
export class FileTaskInput {
  @IsString() @IsNotEmpty() @MaxLength(60) task_id!: string;
}
