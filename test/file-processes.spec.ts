/** Two panels with one folder and one database, working on the files of one site at the same time. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { HostingAccount } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { PanelClient } from './support/panel-client.js';

const SIZE = 300_000;
const WHOLE = Buffer.from(Array.from({ length: SIZE }, (_, at) => (at * 31 + (at >> 8)) % 251));

let crash: CrashPlace;
let clients: PanelClient[];
let id: string;
let site: string;

beforeAll(async () => {
  crash = await CrashPlace.create();
  const [first, second] = [await crash.start(), await crash.start()];
  const signIn = (url: string) => new PanelClient(url).login('admin', 'admin', 'svc-panel-admin');
  clients = [await signIn(first.panel.url), await signIn(second.panel.url)];
  await first.admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'shared01', pass: 'a-password-of-my-own' });
  const [host] = (await first.admin.operate('admin', { gn: 'listzj' })).rows as { id: string; sqldz: string }[];
  id = host!.id;
  site = join(crash.dataDir, 'sites', host!.sqldz);
  // Measuring the site during the test would add its initial page to what the uploads counted.
  await crash.database.repository(HostingAccount).update({ username: 'shared01' }, { usageDueAt: new Date(Date.now() + 86_400_000) });
}, 120_000);
afterAll(() => crash.dispose());

async function piece(client: PanelClient, name: string, from: number, bytes: Buffer, size = SIZE) {
  const body = new FormData();
  const fields = { gn: 'fileupload', id, htl: '/', tempfilename: name, zsize: String(size), fesw: String(from) };
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append('file', new Blob([new Uint8Array(bytes)]), 'blob');
  return (await client.send('/admin/ajax.php', { method: 'POST', body })).json as {
    success: boolean;
    size: number;
    error: number;
    err?: string;
  };
}
const used = async (): Promise<number> =>
  (await crash.database.repository(HostingAccount).findOneByOrFail({ username: 'shared01' })).webUsedBytes;
/** Bytes that the owner uses, without the site's initial page. */
function stored(): number {
  const files = ['public', 'work'].flatMap((name) =>
    readdirSync(join(site, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return files
    .filter(({ name }) => name !== 'index.html')
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

it('accept the same and overlapping parts of an upload, and count each byte once', { timeout: 120_000 }, async () => {
  const before = await used();
  for (let from = 0; from < SIZE;) {
    // Both send from the current offset, with different lengths, and one of them sends the same part again.
    const lengths = [20_000, 35_000, 20_000, 1];
    const answers = await Promise.all(
      lengths.map((length, n) => piece(clients[n % 2]!, 'one.bin', from, WHOLE.subarray(from, Math.min(from + length, SIZE)))),
    );
    if (answers.some(({ error, size }) => error === 1 && size === 1)) break;
    expect(answers.map(({ success }) => success)).toEqual(lengths.map(() => true));
    const next = Math.max(...answers.map(({ size }) => size));
    expect(next).toBeGreaterThan(from);
    expect((await used()) - before).toBe(next);
    from = next;
  }
  expect(readFileSync(join(site, 'public/one.bin')).equals(WHOLE)).toBe(true);
  expect((await used()) - before).toBe(SIZE);
  expect(readdirSync(join(site, 'work')).filter((name) => name.startsWith('up-') && name !== 'up-')).toEqual([]);
});

it('create a name once, and never exceed the space', { timeout: 120_000 }, async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, n) => clients[n % 2]!.ajax('admin', { gn: 'xjwj', id, ml: '/', wjname: 'once.txt' })),
  );
  expect(made.filter(({ json }) => json.success)).toHaveLength(1);
  expect((await clients[0]!.ajax('admin', { gn: 'zjmode', id, webkj: '1' })).json).toMatchObject({ success: true });
  const free = 1_048_576 - (await used());
  const size = Math.floor(free / 3) + 1;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => piece(clients[n % 2]!, `big${n}.bin`, 0, Buffer.alloc(size, 'x'), size)),
  );
  expect(answers.filter(({ success }) => success)).toHaveLength(2);
  expect(answers.filter(({ err }) => err === 'E_LIMIT')).toHaveLength(4);
  expect(await used()).toBeLessThanOrEqual(1_048_576);
  const ownPage = statSync(join(site, 'public/index.html')).size;
  expect([stored(), stored() + ownPage]).toContain(await used());
});
