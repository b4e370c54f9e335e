import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import semver from 'semver';

import { type Locale, PACKAGE_ROOT } from '../common/index.js';

/** Changes of a version, in every language. */
export interface Release {
  readonly version: string;
  readonly changes: Readonly<Record<Locale, readonly string[]>>;
}

/** Location in a checkout, and in a package that contains only the build. */
const PLACES = ['docs/CHANGELOG.md', 'dist/CHANGELOG.md'];
const HEADINGS: Readonly<Record<Locale, string>> = { 'zh-CN': '中文', en: 'English' };

let read: Promise<readonly Release[]> | null = null;

/** Returns the changelog, newest version first, cached. Empty if the file is missing. */
export function releases(): Promise<readonly Release[]> {
  return (read ??= readReleases());
}

async function readReleases(): Promise<readonly Release[]> {
  const path = PLACES.map((place) => join(PACKAGE_ROOT, place)).find((place) => existsSync(place));
  return path === undefined ? [] : parseChangelog(await readFile(path, 'utf8'));
}

/** Returns the releases after a version; all of them if the version is invalid. */
export async function releasesSince(version: string): Promise<readonly Release[]> {
  const all = await releases();
  return semver.valid(version) ? all.filter((release) => semver.gt(release.version, version)) : all;
}

/** Parses `docs/CHANGELOG.md`, whose head documents the format; other content is ignored. */
export function parseChangelog(text: string): Release[] {
  return sections(text, '## ')
    .filter(({ title }) => semver.valid(title))
    .map(({ title, body }) => {
      const parts = sections(body, '### ');
      const changesIn = (locale: Locale): string[] => {
        const part = parts.find((one) => one.title === HEADINGS[locale])?.body ?? '';
        return part.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []));
      };
      return { version: title, changes: { 'zh-CN': changesIn('zh-CN'), en: changesIn('en') } };
    })
    .sort((a, b) => semver.rcompare(a.version, b.version));
}

function sections(text: string, mark: string): { title: string; body: string }[] {
  return `\n${text}`
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title: title.trim(), body: lines.join('\n') };
    });
}
