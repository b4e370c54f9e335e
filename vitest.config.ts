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

/** The specs of a suite that wait for another turn of CI (`test/support/turns.ts`). */
function waiting(): string[] {
  // The main job, and every page, of which each turn has a part, wait for none.
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
    // Browser tests run by themselves: they need Chromium, which `npm test` does not.
    // On a server's database, only what opens one: the rest has run on SQLite and would say the same.
    include: browserTests ? ['src/**/*.browser.spec.ts', 'test/**/*.browser.spec.ts'] : onServer ? databaseSpecs() : everySpec,
    exclude: ['node_modules/**', 'dist/**', ...(browserTests ? [] : ['**/*.browser.spec.ts']), ...waiting()],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    // One process runs many files without loading Nest and TypeORM anew for each: that was a third of the whole time.
    isolate: false,
    // What was compiled once is kept by its content: the next suite, or the next try of one spec, loads it in a third of the time.
    experimental: { fsModuleCache: true },
    // Hundreds of panels start and end in each: with Node's 16 MB for what is young an eighth of the time went into collecting it.
    // Of what is old, too, the first gigabyte is not worth looking through: a worker lives for minutes.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=64', '--initial-old-space-size=1024'],
    // Specs wait half of their time, for a process, a clock or a lock: three share two cores. A browser waits for nothing.
    maxWorkers: Math.max(browserTests ? 2 : 3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Several times as long as the slowest takes by itself: a busy machine.
    testTimeout: 120_000,
    // A condition that is waited for: a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    reporters: process.env.VITEST_JSON ? ['default', 'json'] : ['default'],
    outputFile: process.env.VITEST_JSON ? { json: process.env.VITEST_JSON } : undefined,
  },
});
