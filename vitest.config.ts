import { availableParallelism } from 'node:os';

import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

import { databaseSpecs } from './test/support/database-specs.js';
import { LONG_SPECS } from './test/support/long-specs.js';
import { LongestFirst } from './test/support/longest-first.js';
import { BROWSER_SPECS, SPECS } from './test/support/spec-files.js';
import { resting, restingOnServer } from './test/support/turns.js';

const browserTests = process.env.BROWSER_TESTS === 'on';
const onServer = Boolean(process.env.TEST_DATABASE_SERVER);
const everySpec = ['src/**/*.spec.ts', 'test/**/*.spec.ts', 'agent/**/*.spec.ts'];

/** Specs skipped in this turn of CI (`test/support/turns.ts`). */
function waiting(): string[] {
  // The main job and the page suite never skip specs; the latter splits its pages by turn itself.
  if (browserTests) return resting(BROWSER_SPECS.filter((file) => !/\/(main-job|every-page)\.browser/.test(file)));
  if (!onServer) return resting(LONG_SPECS.filter((file) => SPECS.includes(file)));
  return restingOnServer(databaseSpecs().filter((file) => !/^src\/database\/|^test\/(boot|upgrade)\b/.test(file)));
}

/** Decorator metadata needs SWC: Vite's own transform does not emit it. */
export default defineConfig({
  oxc: false,
  plugins: [
    swc.vite({
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
    }),
  ],
  test: {
    // Browser tests run separately: they need Chromium, which `npm test` does not.
    // On a database server only the specs that open a database run; the others gave the same result with SQLite.
    include: browserTests ? ['src/**/*.browser.spec.ts', 'test/**/*.browser.spec.ts'] : onServer ? databaseSpecs() : everySpec,
    exclude: ['node_modules/**', 'dist/**', ...(browserTests ? [] : ['**/*.browser.spec.ts']), ...waiting()],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    // One process runs many files without reloading Nest and TypeORM for each, which took a third of the total time.
    isolate: false,
    // Caches compiled modules by content: the next run loads them in a third of the time.
    experimental: { fsModuleCache: true },
    // Hundreds of panels start and stop per worker: with Node's default of 16 MB for young objects, an eighth of the time was spent on
    // garbage collection. The first gigabyte of old objects is not collected either, because a worker lives only for minutes.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=64', '--initial-old-space-size=1024'],
    // Specs spend half of their time waiting for a process, timer or lock, so three workers share two cores. A browser is always busy.
    maxWorkers: Math.max(browserTests ? 2 : 3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Several times the duration of the slowest test alone, for a busy machine.
    testTimeout: 120_000,
    // Timeout of polled conditions, for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    reporters: process.env.VITEST_JSON ? ['default', 'json'] : ['default'],
    outputFile: process.env.VITEST_JSON ? { json: process.env.VITEST_JSON } : undefined,
  },
});
