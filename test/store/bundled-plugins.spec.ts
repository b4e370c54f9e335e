/**
 * The project's plugins are treated like any author's: each bundled plugin, zipped as in docs/plugin-api.md, is a package the store
 * accepts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { StoreFinding } from '../../src/store/index.js';
import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { submit, zipOf } from '../support/store-packages.js';

const BUILT = join(PACKAGE_ROOT, 'dist/plugins');

let store: TestStore;
let author: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  author = await store.member('Author');
});
afterAll(() => store.close());

it.each(readdirSync(BUILT))('%s is accepted without a finding that needs a decision', async (slug) => {
  const folder = join(BUILT, slug);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const content = Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length + 1), readFileSync(join(parentPath, name))]),
  );
  const { version } = JSON.parse(String(content['plugin.json'])) as { version: string };
  const answer = await submit(author, slug, { version }, await zipOf(slug, content));
  expect(answer).toMatchObject({ code: 0 });
  const findings = await store.database.repository(StoreFinding).findBy({ severity: 'danger' });
  expect(findings.map(({ rule, file }) => [rule, file])).toEqual([]);
});
