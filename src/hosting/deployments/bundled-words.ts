import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_LOCALE, type Locale, LOCALES, PACKAGE_ROOT, type TextRef, translate } from '../../common/index.js';

/** Description of a bundled program in its folder; texts are keys of this feature's language files. */
export interface BundledManifest {
  /** Name of its folder. */
  readonly slug: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  /** URL from which resellers get its archive. Such a program is only a template and is not added to the catalogue automatically. */
  readonly from?: string;
  /** Required space in MB: web and database. */
  readonly needs: readonly [number, number];
  readonly form: readonly (Readonly<Record<string, unknown>> & { readonly ltaler: string })[];
  readonly steps: readonly object[];
}

/** Folder of bundled programs: one folder each with `program.json`, and in `files` what is installed, unless it is downloaded. */
export const BUNDLED_FOLDER = join(PACKAGE_ROOT, 'programs');

/** Returns the bundled programs; none if the folder was removed. */
export function bundledManifests(): BundledManifest[] {
  return folders().map((slug) => ({
    ...(JSON.parse(readFileSync(join(BUNDLED_FOLDER, slug, 'program.json'), 'utf8')) as Omit<BundledManifest, 'slug'>),
    slug,
  }));
}

function folders(): string[] {
  try {
    return readdirSync(BUNDLED_FOLDER).sort();
  } catch {
    return [];
  }
}

const textOf = (key: string): string => `deploy.bundled_${key}`;
let known: ReadonlyMap<string, string> | null = null;

/** Texts of bundled programs in every language, with their keys. */
function bundledTexts(): ReadonlyMap<string, string> {
  known ??= new Map(
    bundledManifests()
      .flatMap(({ name, description, form }) => [name, description, ...form.map(({ ltaler }) => ltaler)])
      .flatMap((key) => LOCALES.map((locale): [string, string] => [translate(locale, textOf(key)), textOf(key)])),
  );
  return known;
}

/** Returns the text of a bundled program as stored in the catalogue until it is edited there. */
export const defaultText = (key: string): string => translate(DEFAULT_LOCALE, textOf(key));

/** Translates a text of the catalogue if it is from a bundled program; any other is returned unchanged. */
export function localizedText(locale: Locale, text: string): string {
  const key = bundledTexts().get(text);
  return key === undefined ? text : translate(locale, key);
}

/** As {@link localizedText}, for a message whose reader is not known yet. */
export function textRefFor(text: string): string | TextRef {
  const key = bundledTexts().get(text);
  return key === undefined ? text : { key };
}
