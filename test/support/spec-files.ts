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

/** A list of specs that is kept by hand. @param names without their `.spec.ts` @throws Error that names those that are gone */
export function specsNamed(names: readonly string[]): readonly string[] {
  const wanted = names.map((name) => `${name}.spec.ts`);
  const gone = wanted.filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`Not there any more, take it off the list: ${gone.join(', ')}`);
  return wanted;
}
