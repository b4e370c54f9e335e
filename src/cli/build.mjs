/**
 * `node src/cli/build.mjs` builds the package in the current folder; with `--if-needed` only if a source changed since the last build.
 * Plain JavaScript, because it runs before anything is compiled.
 *
 * Sources are compared by a list of names, sizes and times, not by the newest time: this also detects an upgrade that unpacks older files,
 * and removed files.
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
  // Their class names decide which styles are included.
  'themes',
  'tsconfig.sdk.json',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
/** Written after a successful build. */
const STAMP = 'dist/.built';
/** The native compiler, four times as fast; the package `typescript` is for tools that need its API (typescript-eslint, typedoc). */
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

// Taken before the build, so that edits made meanwhile trigger the next one.
const wanted = fingerprint();
const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
if (!isBuilt || !process.argv.includes('--if-needed')) {
  console.log('Building …');
  // Removes outputs of deleted sources, and the compiler's incremental state with them.
  rmSync('dist', { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status === 0) {
    // Imported only now, so that a start without a build does not load the bundlers.
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
