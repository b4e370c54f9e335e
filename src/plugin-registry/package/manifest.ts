import { lstatSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';

import semver from 'semver';

import { closestNames, isPluginSlug, olderRange, readPluginVersion, unknownManifestFields } from '../../common/index.js';
import { isKnownPermission, PERMISSIONS, permissionsOf } from '../../packaging/index.js';
import { API_VERSION, type PluginManifest } from '../../sdk/index.js';

import { PluginError } from '../errors.js';
import type { PluginNotice } from '../plugin-notices.js';

const MAX_MANIFEST_BYTES = 256 * 1024;
/** Version of a plugin that declares none. */
const NO_VERSION = '0.0.0';

/** A plugin's package, read and validated. */
export interface PluginPackage {
  readonly slug: string;
  /** Absolute folder. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  readonly description: string;
  /** Absolute path of the entry file. */
  readonly entry: string;
  /** Slug to semver range (`*` for any). */
  readonly dependencies: ReadonlyMap<string, string>;
  /** Aliases it answers to in `requires_plugins`. */
  readonly provides: readonly string[];
  /** Plugins whose code may read and write this one's options; `*` for any. */
  readonly sharesOptionsWith: ReadonlySet<string>;
  readonly manifest: PluginManifest;
  /** Parts of the manifest that have no effect or are probably mistakes; the plugin runs anyway. */
  readonly notices: readonly PluginNotice[];
}

/**
 * Reads the package in `folder`, whose name is the slug.
 *
 * @throws PluginError MANIFEST_MISSING, MANIFEST_INVALID, ID_MISMATCH, VERSION_INVALID, ENTRY_MISSING, API_MISMATCH
 */
export function readPluginPackage(slug: string, folder: string): PluginPackage {
  if (!isPluginSlug(slug)) throw new PluginError('SLUG_INVALID');
  const manifest = readManifest(folder);
  checkIdentity(manifest, slug);
  const entry = entryPath(folder, manifest.main ?? 'index.js');
  checkApiVersion(manifest);
  return {
    slug,
    folder,
    name: text(manifest.name, slug, 120),
    version: text(manifest.version, NO_VERSION, 32),
    author: text(manifest.author, '', 120),
    description: text(manifest.description, '', 2_000),
    entry,
    dependencies: dependenciesOf(manifest, slug),
    provides: list(manifest.provides).filter((name) => isPluginSlug(name) && name !== slug),
    sharesOptionsWith: new Set(list(manifest.share_options)),
    manifest,
    notices: noticesOf(manifest, slug),
  };
}

/** The folder name is the plugin's id, and other plugins depend on its version: both must be valid. */
function checkIdentity(manifest: PluginManifest, slug: string): void {
  const id: unknown = manifest.id;
  if (id !== undefined && id !== slug) throw new PluginError('ID_MISMATCH', { id: shown(id), slug });
  const version: unknown = manifest.version;
  if (version !== undefined && version !== '' && (typeof version !== 'string' || readPluginVersion(version) === null)) {
    throw new PluginError('VERSION_INVALID', { version: shown(version) });
  }
}

function noticesOf(manifest: PluginManifest, slug: string): PluginNotice[] {
  const notices = unknownManifestFields(manifest as unknown as Record<string, unknown>).map(({ field, meant }): PluginNotice =>
    meant === '' ? { text: 'plugins.notice.field', params: { field } } : { text: 'plugins.notice.field_meant', params: { field, meant } },
  );
  if (!manifest.version) notices.push({ text: 'plugins.notice.no_version', params: { version: NO_VERSION } });
  for (const field of ['name', 'author', 'description'] as const) {
    const value: unknown = manifest[field];
    if (value !== undefined && typeof value !== 'string') notices.push({ text: 'plugins.notice.not_text', params: { field } });
  }
  for (const field of ['type', 'permissions', 'share_options', 'provides'] as const) {
    const value: unknown = manifest[field];
    if (value !== undefined && !(Array.isArray(value) && value.every((item) => typeof item === 'string')))
      notices.push({ text: 'plugins.notice.not_list', params: { field } });
  }
  for (const name of permissionsOf(manifest)
    .filter((one) => !isKnownPermission(one))
    .slice(0, 5)) {
    const meant = closestNames(name, PERMISSIONS, 1)[0] ?? '';
    const text = meant === '' ? 'plugins.notice.permission' : 'plugins.notice.permission_meant';
    notices.push({ text, params: { name: shown(name), meant } });
  }
  const needed: unknown = manifest.requires_plugins ?? [];
  const names = Array.isArray(needed) ? needed : Object.keys(needed as object);
  for (const name of names.filter((item) => !isPluginSlug(item) || item === slug).slice(0, 5))
    notices.push({ text: 'plugins.notice.no_slug', params: { slug: shown(name) } });
  return notices;
}

/** Shortens a manifest value for a message. */
function shown(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 60);
}

function readManifest(folder: string): PluginManifest {
  const path = join(folder, 'plugin.json');
  let content: string;
  try {
    const { size } = lstatSync(path);
    if (size > MAX_MANIFEST_BYTES) throw new PluginError('MANIFEST_INVALID', { reason: `> ${MAX_MANIFEST_BYTES / 1024} KB` });
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw new PluginError('MANIFEST_MISSING');
  }
  try {
    const manifest: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) throw new Error('not an object');
    return manifest as PluginManifest;
  } catch (error) {
    throw new PluginError('MANIFEST_INVALID', { reason: (error as Error).message.slice(0, 200) });
  }
}

function entryPath(folder: string, main: unknown): string {
  const file = typeof main === 'string' ? normalize(main) : '';
  const inside = file !== '' && !file.startsWith('..') && !file.startsWith(sep) && !file.includes('\0');
  if (!inside) throw new PluginError('MANIFEST_INVALID', { reason: 'main' });
  const path = join(folder, file);
  try {
    if (!lstatSync(path).isFile()) throw new Error('no file');
  } catch {
    throw new PluginError('ENTRY_MISSING', { file });
  }
  return path;
}

function checkApiVersion(manifest: PluginManifest): void {
  const ranges = [manifest.requires, olderRange(manifest)];
  for (const range of ranges) {
    if (range === undefined || range === '') continue;
    const parsed = semver.validRange(String(range));
    if (parsed === null) throw new PluginError('MANIFEST_INVALID', { reason: `requires: ${String(range).slice(0, 50)}` });
    if (!semver.satisfies(API_VERSION, parsed)) throw new PluginError('API_MISMATCH', { range: String(range), version: API_VERSION });
  }
}

function dependenciesOf(manifest: PluginManifest, slug: string): Map<string, string> {
  const source = manifest.requires_plugins ?? [];
  const entries: [string, string][] = Array.isArray(source)
    ? list(source).map((name) => [name, '*'])
    : Object.entries(source).map(([name, range]) => [name, String(range)]);
  const dependencies = new Map<string, string>();
  for (const [name, range] of entries) {
    if (!isPluginSlug(name) || name === slug) continue;
    if (semver.validRange(range) === null) throw new PluginError('MANIFEST_INVALID', { reason: `requires_plugins: ${name}` });
    dependencies.set(name, range);
  }
  return dependencies;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function text(value: unknown, fallback: string, length: number): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length) : fallback;
}
