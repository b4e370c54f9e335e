import { AppError, type ErrorShape, type TextParams } from '../common/index.js';

import { printable } from './printable.js';

/** Rules for rejecting a package; rejection statistics count these. */
export type PackageRule =
  | 'ARCHIVE_TOO_LARGE'
  | 'UNREADABLE'
  | 'EMPTY'
  | 'ZIP64'
  | 'MULTI_DISK'
  | 'HIDDEN_DATA'
  | 'ENCRYPTED'
  | 'METHOD'
  | 'HEADER_MISMATCH'
  | 'OVERLAP'
  | 'LINK'
  | 'DUPLICATE_NAME'
  | 'NAME_COLLISION'
  | 'NAME_ENCODING'
  | 'NAME_AMBIGUOUS'
  | 'NAME_CHARACTERS'
  | 'NAME_TOO_LONG'
  | 'NAME_NOT_PORTABLE'
  | 'PATH_TRAVERSAL'
  | 'ABSOLUTE_PATH'
  | 'TOO_MANY_FILES'
  | 'FILE_TOO_LARGE'
  | 'TOTAL_TOO_LARGE'
  | 'ROOT_FOLDER'
  | 'ROOT_NAME'
  | 'ROOT_MISMATCH'
  | 'CONTENT_CORRUPT'
  | 'CONTENT_SIZE'
  | 'CONTENT_CHECKSUM'
  | 'AUTHOR_SIGNATURE';

const ERROR_MAP: Record<PackageRule, ErrorShape> = {
  ARCHIVE_TOO_LARGE: { err: 'E_LIMIT', text: 'packages.archive_too_large' },
  UNREADABLE: { err: 'E_ARGS', text: 'packages.unreadable' },
  EMPTY: { err: 'E_ARGS', text: 'packages.empty' },
  ZIP64: { err: 'E_ARGS', text: 'packages.zip64' },
  MULTI_DISK: { err: 'E_ARGS', text: 'packages.multi_disk' },
  HIDDEN_DATA: { err: 'E_ARGS', text: 'packages.hidden_data' },
  ENCRYPTED: { err: 'E_ARGS', text: 'packages.encrypted' },
  METHOD: { err: 'E_ARGS', text: 'packages.method' },
  HEADER_MISMATCH: { err: 'E_ARGS', text: 'packages.header_mismatch' },
  OVERLAP: { err: 'E_ARGS', text: 'packages.overlap' },
  LINK: { err: 'E_ARGS', text: 'packages.link' },
  DUPLICATE_NAME: { err: 'E_ARGS', text: 'packages.duplicate_name' },
  NAME_COLLISION: { err: 'E_ARGS', text: 'packages.name_collision' },
  NAME_ENCODING: { err: 'E_ARGS', text: 'packages.name_encoding' },
  NAME_AMBIGUOUS: { err: 'E_ARGS', text: 'packages.name_ambiguous' },
  NAME_CHARACTERS: { err: 'E_ARGS', text: 'packages.name_characters' },
  NAME_TOO_LONG: { err: 'E_ARGS', text: 'packages.name_too_long' },
  NAME_NOT_PORTABLE: { err: 'E_ARGS', text: 'packages.name_not_portable' },
  PATH_TRAVERSAL: { err: 'E_ARGS', text: 'packages.path_traversal' },
  ABSOLUTE_PATH: { err: 'E_ARGS', text: 'packages.absolute_path' },
  TOO_MANY_FILES: { err: 'E_LIMIT', text: 'packages.too_many_files' },
  FILE_TOO_LARGE: { err: 'E_LIMIT', text: 'packages.file_too_large' },
  TOTAL_TOO_LARGE: { err: 'E_LIMIT', text: 'packages.total_too_large' },
  ROOT_FOLDER: { err: 'E_ARGS', text: 'packages.root_folder' },
  ROOT_NAME: { err: 'E_ARGS', text: 'packages.root_name' },
  ROOT_MISMATCH: { err: 'E_ARGS', text: 'packages.root_mismatch' },
  CONTENT_CORRUPT: { err: 'E_ARGS', text: 'packages.content_corrupt' },
  CONTENT_SIZE: { err: 'E_ARGS', text: 'packages.content_size' },
  CONTENT_CHECKSUM: { err: 'E_ARGS', text: 'packages.content_checksum' },
  AUTHOR_SIGNATURE: { err: 'E_ARGS', text: 'packages.author_signature' },
};

/**
 * A rejected package: `code` is the rule, `file` the file concerned; the text names both and the remedy.
 *
 * @example
 * ```ts
 * if (error instanceof PackageRefusal) translate(locale, error.shape.text, error.params); // "不允许路径穿越：demo/../x"
 * ```
 */
export class PackageRefusal extends AppError<PackageRule> {
  /** Printable name of the file; null if the rule concerns the whole ZIP. */
  readonly file: string | null;

  /** @param file as spelled in the ZIP; invisible characters are escaped in the text */
  constructor(rule: PackageRule, file?: string, params: TextParams = {}, options?: ErrorOptions) {
    const shown = file === undefined ? null : printable(file, 200);
    super(rule, shown === null ? params : { ...params, file: shown }, undefined, options);
    this.file = shown;
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
