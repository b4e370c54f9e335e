import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { formOf, submit, zipOf } from '../support/store-packages.js';

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

describe('a reviewer', () => {
  it('views the files of a package and their changes, as text only', async () => {
    const { data: item } = await submit(
      alice,
      'read',
      {},
      await zipOf('read', { 'a.html': '<script>1</script>\nsame\n', 'b.bin': Buffer.from([1, 0, 2]) }),
    );
    const files = await admin.get<{ files: { path: string }[] }>(`/admin/items/${item.id}/files`);
    expect(files.data).toMatchObject({ version: '1.0.0', root: 'read', files: [{ path: 'a.html' }, { path: 'b.bin', size: 3 }] });
    const content = await admin.send('GET', `/admin/items/${item.id}/files/content?path=a.html`);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(await content.text()).toBe('<script>1</script>\nsame\n');
    expect((await admin.get(`/admin/items/${item.id}/files/content?path=b.bin`)).status).toBe(400);
    expect((await admin.get(`/admin/items/${item.id}/files/content?path=../x`)).status).toBe(404);
    expect((await admin.get(`/admin/items/${item.id}/files?version=9`)).status).toBe(404);
    expect((await alice.get(`/admin/items/${item.id}/files`)).status).toBe(403);

    const next = await zipOf('read', { 'a.html': '<p>2</p>\nsame\n', 'b.bin': Buffer.from([1, 0]), 'c.txt': 'new' });
    await alice.call('POST', `/developer/items/${item.id}/versions`, formOf({ version: '1.1.0' }, next));
    const diff = await admin.send('GET', `/admin/items/${item.id}/diff?from=1.0.0&to=1.1.0`);
    expect(await diff.text()).toBe(
      '--- a.html\n+++ a.html\n@@ -1 +1 @@\n-<script>1</script>\n+<p>2</p>\n same\n \n--- b.bin\n+++ b.bin\n@@ 3 -> ' +
        '2 bytes @@\n--- /dev/null\n+++ c.txt\n@@ -1 +1 @@\n-\n+new\n',
    );
  });
});
