import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_LOCALE, type Locale, LOCALES, PACKAGE_ROOT, type TextRef, translate } from '../../common/index.js';

/** A program of ours as its folder describes it: words are keys of this folder's texts. */
export interface BundledManifest {
  /** Name of its folder. */
  readonly slug: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  /** Where resellers have its archive from: a program to begin with, which is not in the catalogue by itself. */
  readonly from?: string;
  /** MB of web space, and of the database. */
  readonly needs: readonly [number, number];
  readonly form: readonly (Readonly<Record<string, unknown>> & { readonly ltaler: string })[];
  readonly steps: readonly object[];
}

/** Folder of bundled programs: each is a folder with `program.json`, and in `files` what is installed, unless that is fetched. */
export const BUNDLED_FOLDER = join(PACKAGE_ROOT, 'programs');

/** Those there are; none where somebody took the folder away. */
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

/** Texts of programs of ours in every language, with the key of each. */
function bundledTexts(): ReadonlyMap<string, string> {
  known ??= new Map(
    bundledManifests()
      .flatMap(({ name, description, form }) => [name, description, ...form.map(({ ltaler }) => ltaler)])
      .flatMap((key) => LOCALES.map((locale): [string, string] => [translate(locale, textOf(key)), textOf(key)])),
  );
  return known;
}

/** How a word of ours is kept in the catalogue, until somebody changes it there. */
export const keptWord = (key: string): string => translate(DEFAULT_LOCALE, textOf(key));

/** A text of the catalogue for whoever reads it: that of a program of ours in his language, any other as it is. */
export function wordsFor(locale: Locale, text: string): string {
  const key = bundledTexts().get(text);
  return key === undefined ? text : translate(locale, key);
}

/** The same for a message that is made before its reader is known. */
export function wordFor(text: string): string | TextRef {
  const key = bundledTexts().get(text);
  return key === undefined ? text : { key };
}
