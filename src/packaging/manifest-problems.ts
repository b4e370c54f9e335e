import type { TextParams } from '../common/index.js';

/** Type of a package. */
export type PackageType = 'plugin' | 'theme';

/** All problems of a manifest or of files it refers to, by their API names. */
export const MANIFEST_PROBLEMS = [
  'missing',
  'unreadable',
  'slug',
  'panel_slug',
  'name',
  'version',
  'version_missing',
  'version_invalid',
  'requires',
  'requires_plugins',
  'field',
  'field_meant',
  'not_list',
  'not_text',
  'entry',
  'entry_es_module',
  'entry_top_level_await',
  'entry_syntax',
  'entry_import',
  'native_addon',
  'texts',
  'no_side',
  'template',
  'view_name',
  'view_size',
  'asset_name',
  'asset_kind',
  'script_field',
  'script_file',
  'script_many',
  'script_missing',
  'script_size',
  'script_text',
  'script_end',
  'script_place',
  'script_inline',
] as const;

/** A problem of the manifest for author and reviewer; a panel refuses to install the package if it is `fatal`. */
export interface ManifestProblem {
  readonly code: (typeof MANIFEST_PROBLEMS)[number];
  readonly fatal: boolean;
  /** The file concerned, if not the manifest. */
  readonly file?: string;
  readonly params: TextParams;
}

/** @param about the file concerned, if not the manifest */
export type Report = (code: ManifestProblem['code'], fatal: boolean, params?: TextParams, about?: string) => void;
