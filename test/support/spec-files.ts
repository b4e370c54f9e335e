import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

const files: readonly string[] = ['src', 'test', 'agent'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => join(folder, name)),
);

const isOfBrowser = (file: string): boolean => file.endsWith('.browser.spec.ts');
/** Browser specs, as paths from the root of the package: `test/browser/hosts.browser.spec.ts`. */
export const BROWSER_SPECS: readonly string[] = files.filter(isOfBrowser);
/** All other specs. */
export const SPECS: readonly string[] = files.filter((file) => !isOfBrowser(file));

/**
 * Returns the path of a spec from a manually maintained list.
 *
 * @param name without `.spec.ts`
 * @throws Error if it does not exist
 */
export function specNamed(name: string): string {
  const file = `${name}.spec.ts`;
  if (!files.includes(file)) throw new Error(`Not there any more, take it off the list: ${file}`);
  return file;
}
