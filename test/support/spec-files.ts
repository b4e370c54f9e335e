import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

const files: readonly string[] = ['src', 'test', 'agent'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => join(folder, name)),
);

const isOfBrowser = (file: string): boolean => file.endsWith('.browser.spec.ts');
/** Specs of the browser, as paths from the top of the package: `test/browser/hosts.browser.spec.ts`. */
export const BROWSER_SPECS: readonly string[] = files.filter(isOfBrowser);
/** All others. */
export const SPECS: readonly string[] = files.filter((file) => !isOfBrowser(file));

/** A spec of a list that is kept by hand. @param name without its `.spec.ts` @throws Error where there is none of that name */
export function specNamed(name: string): string {
  const file = `${name}.spec.ts`;
  if (!files.includes(file)) throw new Error(`Not there any more, take it off the list: ${file}`);
  return file;
}
