import { posix } from 'node:path';

import semver from 'semver';

import { isPluginSlug, olderRange, readPluginVersion, unknownManifestFields } from '../common/index.js';
import { isThemeName, THEME_SIDES } from '../theme/index.js';

import type { ManifestProblem, PackageType, Report } from './manifest-problems.js';
import type { PackageContents } from './package-contents.js';
import { checkEntry, checkTemplates, checkTexts } from './package-code.js';
import { checkThemeScripts } from './package-scripts.js';
import { printable } from './printable.js';

/** Fields of the upload form; missing values are not compared. */
export interface PackageForm {
  readonly type: PackageType;
  readonly slug: string;
  readonly name?: string;
  readonly version?: string;
}

/** The manifest of a package: `plugin.json` or `theme.json`. */
export interface PackageManifest {
  /** Expected file name. */
  readonly file: string;
  readonly found: boolean;
  /** Parsed content; null if missing or not a JSON object. */
  readonly parsed: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly ManifestProblem[];
}

const FILES: Record<PackageType, string> = { plugin: 'plugin.json', theme: 'theme.json' };
/** Maximum size a panel reads. */
const MAX_BYTES: Record<PackageType, number> = { plugin: 256 * 1024, theme: 500_000 };
/** Slugs a panel can install: docs/plugin-api.md and docs/themes.md. */
const PANEL_SLUG: Record<PackageType, (slug: string) => boolean> = { plugin: isPluginSlug, theme: isThemeName };

/** Maximum characters of a version range. */
const MAX_RANGE = 100;

/**
 * Returns the compatible panel versions as a semver range (docs/plugin-api.md: `requires`, or the older `requires_svc` and
 * `requires_mnbt`); empty if none is given or it is invalid.
 */
export function panelRangeOf(parsed: PackageManifest['parsed']): string {
  const given = parsed?.requires ?? olderRange(parsed ?? {}) ?? '';
  const range = typeof given === 'string' ? given.trim() : '';
  return range.length <= MAX_RANGE && /^[\x20-\x7e]*$/.test(range) && semver.validRange(range) !== null ? range : '';
}

/** Reads the manifest and compares it with the form. Problems are reported in the result and never thrown. */
export async function readManifest(contents: PackageContents, form: PackageForm): Promise<PackageManifest> {
  const file = FILES[form.type];
  const problems: ManifestProblem[] = [];
  const problem: Report = (code, fatal, params = {}, about) => {
    problems.push({ code, fatal, params: { ...params, manifest: file }, ...(about === undefined ? {} : { file: about }) });
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
    if (form.type === 'plugin') await checkPlugin(parsed, contents, problem);
    else await checkTheme(parsed, contents, problem);
  }
  await checkTemplates(contents, form.type, problem);
  return { file, found: true, parsed, problems };
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as Record<string, unknown>;
}

function compare(parsed: Record<string, unknown>, form: PackageForm, problem: Report): void {
  const compareText = (code: 'slug' | 'name' | 'version', found: unknown, given: string | undefined, fatal = false): void => {
    if (typeof found === 'string' && given !== undefined && found.trim() !== given)
      problem(code, fatal, { found: printable(found, 60), given });
  };
  if (!PANEL_SLUG[form.type](form.slug)) problem('panel_slug', true, { slug: form.slug });
  // A panel identifies a plugin by its folder and rejects one with a different id.
  compareText(
    'slug',
    form.type === 'plugin' ? (parsed.id ?? parsed.slug) : parsed.name,
    form.slug,
    form.type === 'plugin' && parsed.id !== undefined,
  );
  compareText('name', form.type === 'plugin' ? parsed.name : parsed.title, form.name);
  compareText('version', parsed.version, form.version);
  if (parsed.version === undefined || parsed.version === '') problem('version_missing', false);
  else if (form.type === 'plugin' && (typeof parsed.version !== 'string' || readPluginVersion(parsed.version) === null)) {
    problem('version_invalid', true, { version: printable(String(parsed.version), 60) });
  }
}

async function checkTheme(parsed: Record<string, unknown>, contents: PackageContents, problem: Report): Promise<void> {
  for (const field of ['title', 'version', 'description', 'author']) {
    if (parsed[field] !== undefined && typeof parsed[field] !== 'string') problem('not_text', false, { field });
  }
  if (parsed.scope !== undefined && !isTextList(parsed.scope)) problem('not_list', false, { field: 'scope' });
  if (!THEME_SIDES.some((side) => contents.entries.some(({ path }) => path.startsWith(`${side}/`)))) problem('no_side', false);
  await checkThemeScripts(parsed.scripts, contents, problem);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

async function checkPlugin(parsed: Record<string, unknown>, contents: PackageContents, problem: Report): Promise<void> {
  const main = typeof parsed.main === 'string' ? parsed.main : 'index.js';
  const entry = contents.entry(posix.normalize(main));
  if (entry) await checkEntry(entry, contents, problem);
  else problem('entry', true, { entry: printable(main, 100) });
  for (const { field, meant } of unknownManifestFields(parsed))
    problem(meant === '' ? 'field' : 'field_meant', false, { field: printable(field, 60), meant });
  for (const field of ['name', 'author', 'description']) {
    if (parsed[field] !== undefined && typeof parsed[field] !== 'string') problem('not_text', false, { field });
  }
  for (const field of ['type', 'permissions', 'share_options', 'provides']) {
    if (parsed[field] !== undefined && !isTextList(parsed[field])) problem('not_list', false, { field });
  }
  for (const { path } of contents) {
    if (path.toLowerCase().endsWith('.node')) problem('native_addon', false, {}, path);
  }
  await checkTexts(contents, problem);
  for (const range of [parsed.requires, olderRange(parsed)]) {
    if (range === undefined || range === '') continue;
    if (semver.validRange(String(range)) === null) problem('requires', true, { range: printable(String(range), 50) });
  }
  const plugins = parsed.requires_plugins;
  if (plugins === undefined || Array.isArray(plugins)) return;
  for (const [slug, range] of Object.entries(plugins ?? {})) {
    if (semver.validRange(String(range)) === null)
      problem('requires_plugins', true, { slug: printable(slug, 63), range: printable(String(range), 50) });
  }
}
