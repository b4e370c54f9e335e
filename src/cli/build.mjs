/**
 * `node src/cli/build.mjs` builds the package it is run in; with `--if-needed` only when something that goes into the build is
 * other than it was for the last one. Plain JavaScript, because it runs before anything is built.
 *
 * What was built is kept as a list of names, sizes and times, not as the newest time: an upgrade that unpacks files with times
 * before the last build has to be noticed too, and so has a file that went away.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

import { copyChangelog, copyDefaultTheme } from './copied-files.mjs';

const SOURCES = [
  'src',
  'agent/src',
  'agent/server-install.sh',
  'plugins',
  // The classes they name are those whose style is sent.
  'themes',
  'tsconfig.sdk.json',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
/** Written after a build that went well. */
const STAMP = 'dist/.built';
/**
 * The native compiler, which takes a quarter of the work; the package `typescript` is for what needs its API (typescript-eslint, typedoc).
 */
const COMPILER = 'node_modules/typescript-7/bin/tsc';

function files(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return path.endsWith('.spec.ts') ? [] : [path];
  return readdirSync(path).flatMap((name) => files(`${path}/${name}`));
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(files).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

// Taken before the build: what is edited while it runs is built the next time.
const wanted = fingerprint();
const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
if (!isBuilt || !process.argv.includes('--if-needed')) {
  console.log('Building, this takes a moment …');
  // Nothing of sources that are gone stays, and the compiler's own notes go with what they are about.
  rmSync('dist', { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status === 0) {
    // Not before: where nothing is built, a start does not wait for the packages that build.
    const { bundleAgent, bundleBrowser, bundlePlugins, bundlePrograms, copyStorePages } = await import('./bundle.mjs');
    const { bundleSdk } = await import('./bundle-sdk.mjs');
    copyStorePages();
    await bundlePrograms();
    await bundleAgent();
    await bundleBrowser();
    await bundlePlugins();
    await bundleSdk(process.cwd());
    writeFileSync(STAMP, wanted);
  }
  process.exitCode = status ?? 1;
}
if (existsSync(STAMP)) {
  copyDefaultTheme();
  copyChangelog();
}
