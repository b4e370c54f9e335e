import { lstatSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';

import semver from 'semver';

import { olderRange } from '../../common/index.js';
import { API_VERSION, type PluginManifest } from '../../sdk/index.js';

import { PluginError } from '../errors.js';

/** What a slug may be; it equals the folder's name. */
export const SLUG_PATTERN = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/;

/** Names that mean something else in paths and logs. */
const RESERVED_SLUGS = new Set(['core', '__proto__', 'constructor', 'prototype']);

const MAX_MANIFEST_BYTES = 256 * 1024;

/** A plugin's package, read and checked. */
export interface PluginPackage {
  readonly slug: string;
  /** Absolute folder. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  readonly description: string;
  /** Absolute path of the entry. */
  readonly entry: string;
  /** Slug to semver range (`*` for any). */
  readonly dependencies: ReadonlyMap<string, string>;
  /** Plugins whose code may read and write this one's options; `*` for any. */
  readonly sharesOptionsWith: ReadonlySet<string>;
  readonly manifest: PluginManifest;
}

/** Whether `slug` may name a plugin. */
export function isSlug(slug: unknown): slug is string {
  return typeof slug === 'string' && SLUG_PATTERN.test(slug) && !RESERVED_SLUGS.has(slug.toLowerCase());
}

/**
 * Reads the package in `folder`, whose name is the slug.
 *
 * @throws PluginError MANIFEST_MISSING, MANIFEST_INVALID, ENTRY_MISSING, API_MISMATCH
 */
export function readPackage(slug: string, folder: string): PluginPackage {
  if (!isSlug(slug)) throw new PluginError('SLUG_INVALID');
  const manifest = readManifest(folder);
  const entry = entryPath(folder, manifest.main ?? 'index.js');
  checkApiVersion(manifest);
  return {
    slug,
    folder,
    name: text(manifest.name, slug, 120),
    version: text(manifest.version, '0.0.0', 32),
    author: text(manifest.author, '', 120),
    description: text(manifest.description, '', 2_000),
    entry,
    dependencies: dependenciesOf(manifest, slug),
    sharesOptionsWith: new Set(list(manifest.share_options)),
    manifest,
  };
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
    if (!isSlug(name) || name === slug) continue;
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
