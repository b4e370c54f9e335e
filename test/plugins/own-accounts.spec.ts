import { afterAll, beforeAll, expect, it } from 'vitest';

import { HostingService } from '../../src/hosting/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** A plugin with its own accounts that manages hosts on their behalf. */
const CALLS = `
  const hash = await svc.passwords.hash('a long password');
  const calls = {
    check: (ctx, name, password) => svc.passwords.check(ctx, { name, hash: name.toLowerCase() === 'anna' ? hash : null }, password),
    hash: () => hash,
    open: (_ctx, user, key) => svc.hosts.provision({ node: 'local', user, password: 'secret-1', expiresOn: null, idempotencyKey: key }),
    opened: (_ctx, key) => svc.hosts.opened(key),
    list: (_ctx, ids) => svc.hosts.list(ids === 'many' ? Array.from({ length: 10001 }, (_, at) => at + 1) : JSON.parse(ids)),
    setPassword: (_ctx, id, password) => svc.hosts.setPassword(Number(id), password),
    setQuota: (_ctx, id) => svc.hosts.setQuota(Number(id), { webMb: -1 }),
  };
  svc.svc_register_ajax('user', 'p_' + svc.slug, async (ctx) => {
    try { return { answer: (await calls[ctx.body.call](ctx, ctx.body.a, ctx.body.b)) ?? null }; }
    catch (error) { return { code: error.code, message: error.message, field: error.field }; }
  }, null, { rate: 'read' });`;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
  for (const [slug, permissions] of [
    ['keeper', ['host_passwords', 'hosts']],
    ['curious', ['hosts']],
  ] as const) {
    writePlugin(panel.dataDir, slug, { manifest: { permissions: [...permissions] }, files: { 'index.js': functionPlugin(CALLS) } });
    await panel.enable(slug);
  }
});
afterAll(() => panel?.close());

async function ask(call: string, a: unknown = '', b = '', slug = 'keeper'): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ gn: `p_${slug}`, call, a: String(a), b });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': 'en' } });
  return (await response.json()) as Record<string, unknown>;
}

it('lets the panel check passwords of its own accounts, with attempts counted and limited', async () => {
  expect((await ask('hash')).answer).toMatch(/^\$2b\$.{56}$/);
  expect(await ask('check', 'Anna', 'a long password')).toEqual({ answer: true });
  expect(await ask('check', 'nobody', 'a long password')).toEqual({ answer: false });
  for (let at = 0; at < 10; at += 1) expect(await ask('check', at % 2 ? 'anna' : 'ANNA', 'wrong')).toEqual({ answer: false });
  const held = await ask('check', 'anna', 'a long password');
  expect(held).toMatchObject({ code: 'TOO_MANY_TRIES', message: expect.stringMatching(/\d+ (seconds|minutes)/) as string });
  // Attempts are counted per plugin, so another plugin's account of the same name is not blocked.
  expect(await ask('check', 'anna', 'a long password', 'curious')).toEqual({ answer: true });
});

it('finds hosts by id and by its own idempotency key, but not by another plugin’s', async () => {
  const [one, other] = [await ask('open', 'listed001', 'key-1'), await ask('open', 'listed002', 'key-2')].map(
    ({ answer }) => answer as { id: number },
  );
  expect((await ask('list', JSON.stringify([other!.id, one!.id, one!.id, 999_999]))).answer).toMatchObject([
    { id: one!.id, user: 'listed001', url: expect.stringContaining('listed001') as string },
    { id: other!.id },
  ]);
  expect((await ask('list', '[]')).answer).toEqual([]);
  expect(await ask('list', 'many')).toMatchObject({ message: expect.stringContaining('10000') as string });
  expect((await ask('opened', 'key-1')).answer).toMatchObject({ id: one!.id });
  expect((await ask('opened', 'key-3')).answer).toBeNull();
  expect((await ask('opened', 'key-1', '', 'curious')).answer).toBeNull();
  await panel.get(HostingService).terminate(one!.id, 'admin', { destroy: true });
  expect((await ask('opened', 'key-1')).answer).toBeNull();
});

it('sets passwords of hosts only with the permission, and reports refusals readably', async () => {
  const { id } = (await ask('open', 'renewed01', 'key-4')).answer as { id: number };
  expect(await ask('setPassword', id, 'another-secret-1')).toEqual({ answer: null });
  await expect(panel.signInUser('renewed01', 'another-secret-1')).resolves.toContain('user_token');
  expect(await ask('setPassword', id, 'short')).toMatchObject({
    code: 'CREDENTIALS_TOO_SHORT',
    message: expect.stringMatching(/6/) as string,
  });
  expect(await ask('setPassword', 999_999, 'another-secret-1')).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  expect(await ask('setPassword', id, 'another-secret-2', 'curious')).toMatchObject({ code: 'PERMISSION_MISSING' });
  expect(await ask('setQuota', id)).toMatchObject({
    code: 'INVALID_INPUT',
    field: 'webMb',
    message: expect.stringMatching(/[a-z ]{10}/) as string,
  });
});
