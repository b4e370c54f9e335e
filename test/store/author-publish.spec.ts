import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../../src/cli/author/run-command.js';
import { TestStore, type StoreClient } from '../support/store.js';

describe('svc-plugin publish', () => {
  let store: TestStore;
  let author: StoreClient;
  let reviewer: StoreClient;
  let token: string;
  const place = mkdtempSync(join(tmpdir(), 'svc-publish-'));

  beforeAll(async () => {
    store = await TestStore.start();
    author = await store.member('author');
    reviewer = await store.member('reviewer', 'admin');
    token = await tokenOf(['read', 'publish']);
  });
  afterAll(async () => {
    rmSync(place, { recursive: true, force: true });
    await store.close();
  });

  async function tokenOf(scopes: string[]): Promise<string> {
    const { data } = await author.call<{ token: string }>('POST', '/auth/tokens', { name: scopes.join(), scopes, days: 30 });
    return data.token;
  }

  /** A plugin in its own folder, in plain CommonJS. */
  function project(slug: string, version: string, more: Record<string, unknown> = { description: 'Counts <beans>' }): string {
    const folder = join(place, slug);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version, ...more }));
    writeFileSync(join(folder, 'index.js'), 'module.exports = () => {};\n');
    return folder;
  }

  async function publish(
    folder: string,
    args: string[] = [],
    env: NodeJS.ProcessEnv = { STORE_TOKEN: token, STORE_URL: store.url },
    heard = (_line: string): void => undefined,
  ) {
    const lines: string[] = [];
    const say = (line: string): void => {
      lines.push(line);
      heard(line);
    };
    const status = await runCommand(['publish', ...args], { folder, env, say, warn: say });
    return { status, text: lines.join('\n') };
  }

  /** Decides on pending versions as soon as they arrive. */
  async function decide(slug: string, decision: 'approve' | 'reject', msg = ''): Promise<void> {
    await expect
      .poll(async () => {
        const { data } = await reviewer.get<{ items: { id: number; slug: string }[] }>('/admin/items?status=pending');
        const item = data.items.find((one) => one.slug === slug);
        return item ? (await reviewer.call('PUT', `/admin/items/${item.id}/${decision}`, { msg })).status : 0;
      })
      .toBe(200);
  }

  it('sends a new item and ends when it is approved; the next version likewise, with its decision', async () => {
    let told = (): void => undefined;
    const place = new Promise<void>((resolve) => (told = resolve));
    const heard = (line: string): void => void (line.includes('position 1 in') && told());
    const [first] = await Promise.all([
      publish(project('beans', '1.0.0'), [], undefined, heard),
      place.then(() => decide('beans', 'approve', 'Fine work')),
    ]);
    expect(first).toMatchObject({ status: 0 });
    expect(first.text).toMatch(
      /Sending beans-1\.0\.0\.zip .*: 100 %[^]*position 1 in[^]*Approved: version 1\.0\.0 is published\. Note of the reviewer: Fine work/,
    );
    const [second] = await Promise.all([
      publish(project('beans', '1.1.0'), ['--changelog', 'Counts faster']),
      decide('beans', 'reject', 'Counts wrong'),
    ]);
    expect(second).toMatchObject({ status: 1, text: expect.stringContaining('Rejected. Note of the reviewer: Counts wrong') as string });
    const { data } = await author.get<{ items: { id: number; description: string }[] }>('/developer/items');
    expect(data.items).toMatchObject([{ description: '<p>Counts &lt;beans&gt;</p>' }]);
    const versions = await author.get<{ version: string; changelog: string; status: string }[]>(
      `/developer/items/${data.items[0]!.id}/versions`,
    );
    expect(versions.data).toMatchObject([
      { version: '1.1.0', changelog: 'Counts faster', status: 'rejected' },
      { version: '1.0.0', status: 'approved' },
    ]);
  });

  it('sends nothing twice: a second run shows the decision', async () => {
    const folder = project('peas', '1.0.0');
    expect(await publish(folder, ['--no-wait'])).toMatchObject({ status: 0 });
    const [again] = await Promise.all([publish(folder), decide('peas', 'approve')]);
    expect(again).toMatchObject({ status: 0, text: expect.stringContaining('Nothing was uploaded') as string });
  });

  it.each([
    ['no token', {}, ['--store', 'https://store.example.com'], 'STORE_TOKEN'],
    ['no store', { STORE_TOKEN: 'x' }, [], 'Name the store'],
    ['no address', { STORE_TOKEN: 'x' }, ['--store', 'store'], '"store" is not the address'],
    ['an address that is not encrypted', { STORE_TOKEN: 'x' }, ['--store', 'http://store.example.com'], 'is not encrypted'],
    ['nobody there', { STORE_TOKEN: 'x' }, ['--store', 'http://127.0.0.1:9'], 'cannot be reached'],
  ])('names what is missing: %s', async (_name, env, args, text) => {
    expect(await publish(project('lentils', '1.0.0'), args, env)).toMatchObject({
      status: 1,
      text: expect.stringContaining(text) as string,
    });
  });

  it('shows the store’s findings', async () => {
    const folder = project('lentils', '1.0.0');
    const at = (STORE_TOKEN: string): NodeJS.ProcessEnv => ({ STORE_TOKEN, STORE_URL: store.url });
    expect((await publish(folder, [], at('svcs_wrong'))).text).toContain('rejected the token');
    expect(await publish(folder, [], at(await tokenOf(['read'])))).toMatchObject({ status: 1 });
    expect((await publish(project('lentils', '1.0.0', {}))).text).toContain('set "description" in the manifest');
    const broken = await publish(project('lentils', '1.0.0', { requires: 'banana' }));
    expect(broken).toMatchObject({ status: 1, text: expect.stringContaining('[manifest.requires]') as string });
    expect(broken.text).not.toContain('Sending');
  });

  it('rejects a server that is no store', async () => {
    const server = createServer((_req, res) => res.end('<html>')).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = await publish(project('lentils', '1.0.0'), ['--store', address]);
    expect(run).toMatchObject({ status: 1, text: expect.stringContaining('Check that this is the address of a store') as string });
    server.close();
  });
});
