/** Copies program files that need no compilation, at each start. Separate from the build scripts, whose packages load slowly. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Copies the changelog for installations that have only the build output. */
export function copyChangelog() {
  if (existsSync('docs/CHANGELOG.md')) writeFileSync('dist/CHANGELOG.md', readFileSync('docs/CHANGELOG.md'));
}

/**
 * Copies the default theme into the program, so that its pages exist independently of the `themes` folder. Runs at each start, possibly in
 * several processes concurrently; removed templates disappear with the next build.
 */
export function copyDefaultTheme() {
  if (!existsSync('themes/default')) return;
  for (const name of readdirSync('themes/default', { recursive: true })) {
    const from = `themes/default/${name}`;
    const to = `dist/src/theme/built-in/default/${name}`;
    if (!statSync(from).isFile()) continue;
    const content = readFileSync(from);
    if (existsSync(to) && readFileSync(to).equals(content)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
  }
}
