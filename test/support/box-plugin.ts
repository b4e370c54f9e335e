import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../src/common/index.js';

import { writePlugin } from './plugins.js';

/** Returns the code of the host driver in the documentation, verbatim. */
export function boxCode(): string {
  const docs = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-api.md'), 'utf8');
  return /```js\n([^]*?)```/.exec(docs.slice(docs.indexOf('## Host drivers')))![1]!;
}

/**
 * Writes the plugin `box`, which provides the server kind `box:box`.
 *
 * @param code replaces the code of the documentation
 */
export function writeBoxPlugin(
  dataDir: string,
  code = boxCode(),
  manifest: Record<string, unknown> = { permissions: ['host_driver', 'tables'] },
): void {
  const words = (title: string): string => JSON.stringify({ box: title, token: 'Token' });
  writePlugin(dataDir, 'box', {
    manifest,
    files: { 'index.js': code, 'lang/en.json': words('Box'), 'lang/zh-CN.json': words('盒子') },
  });
}
