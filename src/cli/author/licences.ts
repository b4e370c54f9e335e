import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** File with the licences of bundled packages. */
export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt';

const FOLDER_OF_PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Returns the packages that the files of a bundle come from, and their licences as one text.
 *
 * @param inputs paths relative to `folder`, as esbuild reports them
 */
export function licencesOf(inputs: readonly string[], folder: string): { packages: string[]; text: string } {
  const packageFolders = inputs.map((path) => FOLDER_OF_PACKAGE.exec(path)?.[0]).filter((packageFolder) => packageFolder !== undefined);
  const about = new Map([...new Set(packageFolders)].map((packageFolder) => describe(join(folder, packageFolder))));
  const packages = [...about.keys()].sort();
  return { packages, text: packages.map((name) => about.get(name)!).join(`\n${'-'.repeat(80)}\n\n`) };
}

function describe(packageFolder: string): [string, string] {
  const file = join(packageFolder, 'package.json');
  const { name, version, license, author, homepage } = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
    : ({} as Record<string, unknown>);
  const title = `${typeof name === 'string' ? name : packageFolder} ${typeof version === 'string' ? version : ''}`.trim();
  const authorName = typeof author === 'object' && author !== null ? (author as { name?: unknown }).name : author;
  const lines = [
    title,
    `License: ${typeof license === 'string' ? license : 'not specified in its package.json'}`,
    ...(typeof authorName === 'string' ? [`Author: ${authorName}`] : []),
    ...(typeof homepage === 'string' ? [homepage] : []),
  ];
  const texts = readdirSync(packageFolder)
    .filter((entry) => LICENSE_FILE.test(entry))
    .sort()
    .map((entry) => readFileSync(join(packageFolder, entry), 'utf8').trim());
  return [title, `${[lines.join('\n'), ...texts].join('\n\n')}\n`];
}
