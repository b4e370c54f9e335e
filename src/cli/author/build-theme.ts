import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { AuthorError } from './author-error.js';
import type { Project } from './project.js';

/**
 * Writes `theme.json` from the default export of `src/theme.ts` (or `.js`).
 *
 * @throws AuthorError if it cannot be built or run, or does not export a record
 */
export async function writeThemeRecord({ folder, source }: Project): Promise<void> {
  // In the same folder as this program, which is a file in `dist`.
  const sdk = fileURLToPath(new URL('./index.js', import.meta.url));
  let record: unknown;
  try {
    const { outputFiles } = await build({
      entryPoints: [join(folder, source!)],
      absWorkingDir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'silent',
      tsconfigRaw: {},
      ...(existsSync(sdk) ? { alias: { '@svc/sdk': sdk } } : {}),
    });
    const module = (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`)) as {
      default?: unknown;
    };
    record = module.default;
  } catch (error) {
    throw new AuthorError(`${source} cannot be built: ${(error as Error).message}`);
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new AuthorError(`${source} must have a default export: export default defineTheme({ … })`);
  writeFileSync(join(folder, 'theme.json.part'), `${JSON.stringify(record, null, 2)}\n`);
  renameSync(join(folder, 'theme.json.part'), join(folder, 'theme.json'));
}
