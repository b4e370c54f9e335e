import { posix } from 'node:path';

import semver from 'semver';

import { olderRange, type TextParams } from '../../common/index.js';

import type { PackageContents } from './package-contents.js';
import { printable } from './printable.js';

/** What a package is. */
export type PackageType = 'plugin' | 'theme';

/** What the form of an upload says; values that are not given are not compared. */
export interface PackageForm {
  readonly type: PackageType;
  readonly slug: string;
  readonly name?: string;
  readonly version?: string;
}

/** Something about the manifest that author and reviewer should know; a panel refuses to install where it is `fatal`. */
export interface ManifestProblem {
  readonly code: 'missing' | 'unreadable' | 'slug' | 'panel_slug' | 'name' | 'version' | 'version_missing' | 'requires' | 'requires_plugins' | 'entry' | 'no_side';
  readonly fatal: boolean;
  readonly params: TextParams;
}

/** The `plugin.json` or `theme.json` of a package. */
export interface PackageManifest {
  /** Name of the file there should be. */
  readonly file: string;
  readonly found: boolean;
  /** What it says; null where it is missing or no JSON object. */
  readonly parsed: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly ManifestProblem[];
}

const FILES: Record<PackageType, string> = { plugin: 'plugin.json', theme: 'theme.json' };
/** A panel reads no larger one. */
const MAX_BYTES: Record<PackageType, number> = { plugin: 256 * 1024, theme: 500_000 };
/** Slugs a panel installs: docs/plugin-api.md and docs/themes.md. */
const PANEL_SLUG: Record<PackageType, RegExp> = { plugin: /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/, theme: /^[a-zA-Z0-9_-]{1,64}$/ };
const THEME_SIDES = ['admin', 'user', 'home', 'pay'];

/** Characters of a range. */
const MAX_RANGE = 100;

/** Panels a package runs on, as a semver range (docs/plugin-api.md: `requires`, or the older `requires_svc` and `requires_mnbt`); empty where it names none that can be read. */
export function panelRangeOf(parsed: PackageManifest['parsed']): string {
  const given = parsed?.requires ?? olderRange(parsed ?? {}) ?? '';
  const range = typeof given === 'string' ? given.trim() : '';
  return range.length <= MAX_RANGE && /^[\x20-\x7e]*$/.test(range) && semver.validRange(range) !== null ? range : '';
}

/** Reads the manifest and compares it with the form. Whatever is wrong is a problem to show, never a refusal. */
export async function readManifest(contents: PackageContents, form: PackageForm): Promise<PackageManifest> {
  const file = FILES[form.type];
  const problems: ManifestProblem[] = [];
  const problem = (code: ManifestProblem['code'], fatal: boolean, params: TextParams = {}): void => {
    problems.push({ code, fatal, params: { ...params, manifest: file } });
  };
  const entry = contents.entry(file);
  if (!entry) {
    problem('missing', true);
    return { file, found: false, parsed: null, problems };
  }
  let parsed: Record<string, unknown> | null = null;
  try {
    if (entry.size > MAX_BYTES[form.type]) throw new Error(`> ${Math.floor(MAX_BYTES[form.type] / 1000)} KB`);
    parsed = parseObject(await contents.readEntry(entry));
  } catch (error) {
    problem('unreadable', true, { reason: printable((error as Error).message, 150) });
  }
  if (parsed) {
    compare(parsed, form, problem);
    if (form.type === 'plugin') checkPlugin(parsed, contents, problem);
    else if (!THEME_SIDES.some((side) => contents.entries.some(({ path }) => path.startsWith(`${side}/`)))) problem('no_side', false);
  }
  return { file, found: true, parsed, problems };
}

type Report = (code: ManifestProblem['code'], fatal: boolean, params?: TextParams) => void;

function parseObject(bytes: Buffer): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as Record<string, unknown>;
}

function compare(parsed: Record<string, unknown>, form: PackageForm, problem: Report): void {
  const compareText = (code: 'slug' | 'name' | 'version', found: unknown, given: string | undefined): void => {
    if (typeof found === 'string' && given !== undefined && found.trim() !== given) problem(code, false, { found: printable(found, 60), given });
  };
  if (!PANEL_SLUG[form.type].test(form.slug)) problem('panel_slug', true, { slug: form.slug });
  compareText('slug', form.type === 'plugin' ? (parsed.id ?? parsed.slug) : parsed.name, form.slug);
  compareText('name', form.type === 'plugin' ? parsed.name : parsed.title, form.name);
  compareText('version', parsed.version, form.version);
  if (typeof parsed.version !== 'string' || parsed.version.trim() === '') problem('version_missing', false);
}

function checkPlugin(parsed: Record<string, unknown>, contents: PackageContents, problem: Report): void {
  const main = typeof parsed.main === 'string' ? parsed.main : 'index.js';
  if (!contents.entry(posix.normalize(main))) problem('entry', true, { entry: printable(main, 100) });
  for (const range of [parsed.requires, olderRange(parsed)]) {
    if (range === undefined || range === '') continue;
    if (semver.validRange(String(range)) === null) problem('requires', true, { range: printable(String(range), 50) });
  }
  const plugins = parsed.requires_plugins;
  if (plugins === undefined || Array.isArray(plugins)) return;
  for (const [slug, range] of Object.entries(plugins ?? {})) {
    if (semver.validRange(String(range)) === null) problem('requires_plugins', true, { slug: printable(slug, 63), range: printable(String(range), 50) });
  }
}
