/**
 * The tests of the reference hook library, `@wordpress/hooks`, as shipped, run on our registry through the adapter {@link
 * createReferenceHooks}. Tests where our contract differs on purpose are named, and fail here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';
import { createReferenceHooks } from './support/reference-hooks.js';

const SOURCE = join(PACKAGE_ROOT, 'node_modules/@wordpress/hooks/src/test/index.jsdom.test.js');
/** Their number: new or removed ones are reviewed. */
const COUNT = 75;

/** A listener that throws or rejects is reported, and the others still run: docs/plugin-api.md "Hooks". */
const OTHERWISE: readonly string[] = ['aborts when handler throws an error'];

const failures: unknown[] = [];
const errors: unknown[][] = [];
let hooks = createReferenceHooks((error) => failures.push(error));

beforeEach(() => {
  failures.length = 0;
  errors.length = 0;
  hooks = createReferenceHooks((error) => failures.push(error));
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void errors.push(args));
});
afterEach(() => vi.restoreAllMocks());

expect.extend({
  toHaveErrored: () => ({ pass: errors.length > 0, message: () => `It said ${errors.length} errors.` }),
  toHaveErroredWith: (_console: unknown, ...words: unknown[]) => ({
    pass: errors.some((args) => JSON.stringify(args) === JSON.stringify(words)),
    message: () => `It said ${JSON.stringify(errors)}, not ${JSON.stringify(words)}.`,
  }),
});

let count = 0;
/** A registry must not swallow a listener's assertion: it fails its test. */
const counted = (name: string, run: () => unknown): void => {
  count += 1;
  const isOtherwise = OTHERWISE.includes(name);
  (isOtherwise ? test.fails : test)(name, async () => {
    await run();
    if (!isOtherwise && failures.length > 0) throw failures[0];
  });
};

const code = readFileSync(SOURCE, 'utf8');
const body = code.replace(/^import [^;]*;\n/gm, '');
const names = /import \{([^}]*)\} from '\.\.';/
  .exec(code)![1]!
  .split(',')
  .map((name) => name.trim());
const wanted = names.filter((name) => name !== '');
/** Each function is looked up when it is called: every test has its own hooks. */
const library = wanted.map((name) => {
  if (name === 'createHooks') return () => createReferenceHooks((error) => failures.push(error));
  if (name === 'actions' || name === 'filters') return {};
  return (...args: unknown[]) => (hooks[name] as (...given: unknown[]) => unknown)(...args);
});
const define = runInThisContext(`(function (beforeEach, describe, expect, test, vi, window, ${wanted.join(', ')}) {${body}\n})`) as (
  ...given: unknown[]
) => void;
define(beforeEach, describe, expect, counted, vi, {}, ...library);

test('all of them ran', () => expect(count).toBe(COUNT));
