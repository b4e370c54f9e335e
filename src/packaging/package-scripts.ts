import { isScript, MAX_SCRIPT_BYTES, scriptDeclarations, scriptDefect } from '../theme/index.js';

import type { PackageContents } from './package-contents.js';
import type { Report } from './manifest-problems.js';

/** Maximum files reported. */
const MAX_REPORTED = 20;

/**
 * Checks a theme's scripts: the package is rejected for a script in `theme.json` that no panel would run, and for a script not listed
 * there.
 *
 * @param declared `scripts` of theme.json
 */
export async function checkThemeScripts(declared: unknown, contents: PackageContents, problem: Report): Promise<void> {
  const scripts = scriptDeclarations(declared, (defect, file) => problem(defect, true, {}, file === 'theme.json' ? undefined : file));
  for (const { file } of scripts) {
    const entry = contents.entry(file);
    const defect = !entry
      ? 'script_missing'
      : entry.size > MAX_SCRIPT_BYTES
        ? 'script_size'
        : scriptDefect(await contents.readEntry(entry));
    if (defect) problem(defect, true, {}, file);
  }
  const named = new Set(scripts.map(({ file }) => file));
  const others = contents.entries.filter(({ path }) => /^(?:assets|scripts)\//.test(path) && isScript(path) && !named.has(path));
  for (const { path } of others.slice(0, MAX_REPORTED)) problem('script_place', true, {}, path);
}

/** An inline script in a template: without `src`, and not data such as JSON. */
const INLINE = /<script(?![^>]*\bsrc\s*=)(?![^>]*\btype\s*=\s*["']?application\/(?:ld\+)?json)/i;

/** Returns whether a template has an inline script, which the pages' policy blocks. */
export function hasInlineScript(source: string): boolean {
  return INLINE.test(source);
}
