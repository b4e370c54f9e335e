import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Task } from '../../src/jobs/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { startMailServer } from '../support/mail-server.js';
import { TestPanel } from '../support/panel.js';
import { StoreClient, TestStore } from '../support/store.js';

let store: TestStore;
let admin: StoreClient;
const letters: { to: string; text: string }[] = [];
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  admin = await store.member('Root', 'admin');
});
afterAll(() => store.close());

const login = (username: string, password: string, code?: string) =>
  store.visitor().call('POST', '/auth/login', { username, password, captcha: '', ...(code ? { code } : {}) });
const ask = (username: string, email: string) => store.visitor().call('POST', '/auth/password-reset', { username, email });
const use = (link: string, newPassword = 'another-1') =>
  store.visitor().call('PUT', '/auth/password-reset', { token: new URL(link).searchParams.get('t'), newPassword });
const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)![0];

describe('a lost password', () => {
  it('is replaced with an emailed link, once, without revealing who has an account', async () => {
    const carol = store.visitor();
    await carol.register('carol', 'secret-1');
    store.mailsBy(async (letter) => void letters.push(letter));
    const answers = [
      await ask('nobody', 'x@example.org'),
      await ask('carol', 'other@example.org'),
      await ask('Carol', 'CAROL@example.org'),
    ];
    expect(new Set(answers.map(({ status, msg }) => `${status} ${msg}`)).size).toBe(1);
    await expect.poll(() => letters.length, { timeout: 10_000 }).toBe(1);
    expect(letters[0]).toMatchObject({ to: 'carol@example.org' });
    const link = linkIn(letters[0]!.text);
    expect((await use(link, 'short')).status).toBe(400);
    const both = await Promise.all([use(link), use(link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([(await carol.get('/auth/me')).status, (await login('carol', 'secret-1')).status]).toEqual([401, 401]);
    expect((await login('carol', 'another-1')).status).toBe(200);
    for (const token of ['', 'x', `${new URL(link).searchParams.get('t')!}x`])
      expect((await store.visitor().call('PUT', '/auth/password-reset', { token, newPassword: 'another-2' })).status).toBe(400);
  });

  it('is emailed later when the mail server is unavailable, and only once for many requests', async () => {
    await store.visitor().register('grace', 'secret-1');
    const waiting = () => store.database.repository(Task).findBy({ name: 'store.password-mail' });
    let tries = 0;
    store.mailsBy(async () => {
      tries += 1;
      throw new Error('the mail server is away');
    });
    for (let asked = 0; asked < 2; asked += 1) expect((await ask('grace', 'grace@example.org')).status).toBe(200);
    await expect.poll(() => tries, { timeout: 10_000 }).toBe(1);
    await expect
      .poll(async () => (await waiting()).map(({ state, attempts }) => [state, attempts]), { timeout: 10_000 })
      .toEqual([['waiting', 1]]);
    expect(JSON.stringify(await waiting())).not.toMatch(/reset\?t=/);
    const later: { to: string; text: string }[] = [];
    store.mailsBy(async (letter) => void later.push(letter));
    await store.database.repository(Task).update({ name: 'store.password-mail' }, { dueAt: new Date(0), ready: true });
    await expect.poll(() => later.map(({ to }) => to), { timeout: 20_000 }).toEqual(['grace@example.org']);
    expect((await use(linkIn(later[0]!.text))).status).toBe(200);
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
  });

  it('is replaced with an administrator’s link, which ends with the password it replaces', async () => {
    const dave = store.visitor();
    const { data } = await dave.register('dave', 'secret-1');
    const make = async () => (await admin.call<{ link: string }>('POST', `/admin/users/${String(data.id)}/password-link`)).data.link;
    const [first, second] = [await make(), await make()];
    expect((await dave.call('POST', `/admin/users/${String(data.id)}/password-link`)).status).toBe(403);
    expect([(await use(second)).status, (await use(first)).status]).toEqual([200, 400]);
    await admin.call('PUT', `/admin/users/${String(data.id)}`, { status: 'banned' });
    expect((await use(await make())).status).toBe(400);
    expect((await admin.call('POST', '/admin/users/2000000/password-link')).status).toBe(404);
  });
});

describe('a second factor', () => {
  it('is required at sign-in, and accepts each code once, including recovery codes', async () => {
    const erin = store.visitor();
    const { data } = await erin.register('erin', 'secret-1');
    const { secret, uri } = (await erin.call<{ secret: string; uri: string }>('POST', '/auth/second-factor')).data;
    expect(uri).toContain('otpauth://totp/');
    // It is active from its first code.
    expect((await login('erin', 'secret-1')).status).toBe(200);
    const app = new AuthenticatorApp(secret);
    expect((await erin.call('PUT', '/auth/second-factor', { code: '000000' })).status).toBe(400);
    const confirmed = await erin.call<{ recovery_codes: string[] }>('PUT', '/auth/second-factor', { code: app.at(new Date()) });
    const codes = confirmed.data.recovery_codes;
    expect(codes).toHaveLength(10);
    expect((await erin.call('POST', '/auth/second-factor')).status).toBe(403);
    expect([(await login('erin', 'secret-1')).status, (await login('erin', 'wrong-1', codes[0])).status]).toEqual([401, 401]);
    expect([(await login('erin', 'secret-1', 'aaaaa-aaaaa')).status, (await login('erin', 'secret-1', codes[0])).status]).toEqual([
      400, 200,
    ]);
    expect((await login('erin', 'secret-1', codes[0])).status).toBe(400);
    expect((await erin.get<{ recovery_codes: number }>('/auth/second-factor')).data).toMatchObject({ enabled: true, recovery_codes: 9 });
    const renewed = await erin.call<{ recovery_codes: string[] }>('POST', '/auth/second-factor/codes', { code: codes[1] });
    expect((await login('erin', 'secret-1', codes[2])).status).toBe(400);
    // A link for another password keeps it.
    const { link } = (await admin.call<{ link: string }>('POST', `/admin/users/${String(data.id)}/password-link`)).data;
    await use(link);
    expect((await login('erin', 'another-1')).status).toBe(401);
    expect((await login('erin', 'another-1', renewed.data.recovery_codes[0])).status).toBe(200);
    expect((await admin.call('DELETE', `/admin/users/${String(data.id)}/second-factor`)).status).toBe(200);
    expect((await admin.call('DELETE', `/admin/users/${String(data.id)}/second-factor`)).status).toBe(404);
    expect((await login('erin', 'another-1')).status).toBe(200);
  });

  it('is set up in the session it was started in, in every tab of it, and in no other', async () => {
    const [owner, other] = [store.visitor(), store.visitor()];
    await owner.register('nina', 'secret-1');
    await other.login('nina', 'secret-1');
    const start = async (client: StoreClient) => (await client.call<{ secret: string }>('POST', '/auth/second-factor')).data.secret;
    const confirm = (client: StoreClient, secret: string) =>
      client.call('PUT', '/auth/second-factor', { code: new AuthenticatorApp(secret).at(new Date()) }, { 'accept-language': 'en' });
    const over = { status: 400, msg: expect.stringContaining('Start again') as string };
    const secret = await start(owner);
    expect(await start(owner)).toBe(secret);
    expect(await confirm(other, secret)).toMatchObject(over);
    const replaced = await start(other);
    expect(replaced).not.toBe(secret);
    expect(await confirm(owner, secret)).toMatchObject(over);
    const last = await start(owner);
    expect([secret, replaced]).not.toContain(last);
    expect(await confirm(other, replaced)).toMatchObject(over);
    const tabs = await Promise.all([confirm(owner, last), confirm(owner, last)]);
    expect(tabs.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await confirm(other, last)).toMatchObject({ status: 403 });
  });

  it('is set up on the page of the account, with a picture for the app', async () => {
    const frank = store.visitor();
    await frank.register('frank', 'secret-1');
    const send = async (path: string, fields: Record<string, string> = {}) =>
      (
        await fetch(store.url + path, {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers: { cookie: frank.cookie, 'accept-language': 'en' },
        })
      ).text();
    const begun = await send('/store/account/second-factor/begin');
    expect(begun).toContain('<svg');
    const secret = /<code class="text-break">([A-Z2-7]+)</.exec(begun)![1]!;
    const shown = await send('/store/account/second-factor', { code: new AuthenticatorApp(secret).at(new Date()) });
    const code = /<li>([a-z0-9]{5}-[a-z0-9]{5})<\/li>/.exec(shown)![1]!;
    await send('/store/account/second-factor/remove', { code });
    expect((await login('frank', 'secret-1')).status).toBe(200);
  });
});

describe('a store next to a panel', () => {
  it('uses the panel’s mail server', async () => {
    const panel = await TestPanel.start({ SERVICES: 'panel,store,worker' });
    const server = await startMailServer();
    try {
      await panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test', name: 'Sail' });
      const ivy = new StoreClient(panel.url);
      await ivy.register('ivy', 'secret-1');
      const page = await (await fetch(`${panel.url}/store/forgot`, { headers: { 'accept-language': 'en' } })).text();
      expect(page).toContain('name="username"');
      expect((await ivy.call('POST', '/auth/password-reset', { username: 'ivy', email: 'ivy@example.org' })).status).toBe(200);
      await expect.poll(() => server.mails.map(({ to }) => to), { timeout: 20_000 }).toEqual(['ivy@example.org']);
      expect(server.mails[0]!.text.replace(/=\r\n/g, '')).toContain('/store/reset?t=3D');
    } finally {
      await panel.close();
      await server.close();
    }
  });
});
