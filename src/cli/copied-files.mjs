/** Files of the program that need no compiler: they are copied at each start. Apart from what builds, whose packages take long to load. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What changed with each version, for an installation that has only what was built. */
export function copyChangelog() {
  if (existsSync('docs/CHANGELOG.md')) writeFileSync('dist/CHANGELOG.md', readFileSync('docs/CHANGELOG.md'));
}

/**
 * Puts the default theme into the program, which has its pages then whatever becomes of the folder `themes`. Templates need no
 * compiler: this is done at each start, by several at once where they meet; a template that went away goes with the next build.
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
