import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

describe('npm run demo', () => {
  it('goes from an order to a live site and reports it', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist/src/cli/demo.js')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, output]).toEqual([0, expect.stringContaining('Done: one order, paid once, one live site')]);
  });
});
