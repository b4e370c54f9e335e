import type { TextParams } from '../common/index.js';

/** What a package is. */
export type PackageType = 'plugin' | 'theme';

/** Everything that may be wrong with a manifest or with what it leads to, by its name on the wire. */
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

/** Something about the manifest that author and reviewer should know; a panel refuses to install where it is `fatal`. */
export interface ManifestProblem {
  readonly code: (typeof MANIFEST_PROBLEMS)[number];
  readonly fatal: boolean;
  /** The file it is about, where that is not the manifest. */
  readonly file?: string;
  readonly params: TextParams;
}

/** @param about the file it is about, where that is not the manifest */
export type Report = (code: ManifestProblem['code'], fatal: boolean, params?: TextParams, about?: string) => void;
