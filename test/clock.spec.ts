import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

import { testEngine, testServer } from './support/database.js';

// `npm run bench:clock` is the long version: 60 ticks, and the same with Redis. SQLite has one process.
describe.skipIf(testEngine === 'sqlite')('three processes whose clocks differ, some of which are killed', () => {
  it('run every job once per minute and lose no task', { timeout: 240_000 }, async () => {
    if (!existsSync(join(PACKAGE_ROOT, 'dist/ormconfig.js'))) throw new Error('This test runs the compiled code: npm run build first.');
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'bench/clock.mjs')], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        TEST_DATABASE_SERVER: testServer,
        TEST_REDIS_URL: '',
        CLOCK_TICKS: '4',
        CLOCK_SPEED: '10',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    // It includes the seed.
    expect(output).toContain('every job once in each minute, no task lost, none past its fence');
    expect(child.exitCode, output).toBe(0);
  });
});
