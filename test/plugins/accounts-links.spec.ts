import { IsNull } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { RateLimit, SecondFactor } from '../../src/auth/index.js';
import { Customer } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { BackgroundQueue } from '../../src/jobs/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { AccountVisitor } from '../support/account-visitor.js';
import { startMailServer, type TestMailServer } from '../support/mail-server.js';
import { TestPanel } from '../support/panel.js';

const PASSWORD = 'a-pass-word-1';
let panel: TestPanel;
let server: TestMailServer;
let visitor: AccountVisitor;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
  server = await startMailServer();
  await panel.enable('accounts');
});
beforeEach(async () => {
  visitor = new AccountVisitor(panel);
  await panel.get(Database).repository(RateLimit).clear();
});
afterAll(async () => {
  await panel?.close();
  await server?.close();
});

const mailOn = () => panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test' });
const registerBy = (register: string) => panel.admin('szbc', { slug: 'accounts', register });
const form = (username: string, more: Record<string, string> = {}) => ({
  username,
  password: PASSWORD,
  password2: PASSWORD,
  email: '',
  qq: '',
  ...more,
});
async function signedUp(username: string, email = ''): Promise<AccountVisitor> {
  const somebody = new AccountVisitor(panel);
  expect(await somebody.api('register', form(username, { email }))).toMatchObject({ code: 'ok' });
  return somebody;
}
async function mailsTo(address: string): Promise<string[]> {
  await panel.get(BackgroundQueue).idle();
  return server.mails.filter(({ to }) => to === address).map(({ text }) => text.replace(/=\r\n/g, '').replace(/=3D/g, '='));
}
const tokenIn = (mail: string, path: string): string => new RegExp(`/account/${path}\\?t=([\\w-]+)`).exec(mail)![1]!;

it('says whom to contact while the panel cannot send mail', async () => {
  await panel.admin('setwz', { qq: 'help@sail.test' });
  const answer = await visitor.send('POST', '/account/forgot', { username: 'whoever', email: 'who@ever.test' });
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('help@sail.test')]);
});

describe('mailed links', () => {
  beforeAll(() => mailOn());

  it('reset a lost password only for a matching name and address; the response is always the same', async () => {
    const lost = await signedUp('lost_1', 'lost@one.test');
    const answers = [];
    for (const [username, email] of [
      ['lost_1', 'other@one.test'],
      ['nobody_1', 'lost@one.test'],
      ['LOST_1', 'Lost@one.test'],
    ])
      answers.push(await (await visitor.send('POST', '/account/forgot', { username: username!, email: email! })).text());
    expect(new Set(answers).size).toBe(1);
    expect(await mailsTo('other@one.test')).toEqual([]);
    expect(await mailsTo('lost@one.test')).toEqual([]);
    const [mail] = await mailsTo('Lost@one.test');
    const t = tokenIn(mail!, 'reset');
    expect(await visitor.page(`/account/reset?t=${t}`)).toContain('lost_1');
    expect((await visitor.send('POST', '/account/reset', { t, password: 'second-pass-1', password2: 'second-pass-1' })).status).toBe(200);
    expect(await lost.api('me')).toMatchObject({ logged_in: false });
    expect((await visitor.send('POST', '/account/reset', { t, password: 'third-pass-1', password2: 'third-pass-1' })).status).toBe(410);
    expect(await visitor.api('login', { username: 'lost_1', password: 'second-pass-1' })).toMatchObject({ code: 'ok' });
  });

  it('confirm an email address, which only its owner can then use to sign in', async () => {
    const first = await signedUp('mail_1', 'Shared@mail.test');
    const second = await signedUp('mail_2', 'shared@mail.test');
    expect(await visitor.api('login', { username: 'shared@mail.test', password: PASSWORD })).toMatchObject({
      code: '用户不存在或密码错误',
    });
    await first.send('POST', '/account/confirm/send', {});
    const t = tokenIn((await mailsTo('Shared@mail.test'))[0]!, 'confirm');
    expect(await visitor.page(`/account/confirm?t=${t}`)).toContain('name="t"');
    expect((await visitor.send('POST', '/account/confirm', { t })).status).toBe(200);
    expect(await visitor.api('login', { username: 'SHARED@mail.test', password: PASSWORD })).toMatchObject({ code: 'ok' });
    expect(await visitor.api('me')).toMatchObject({ user: { username: 'mail_1' } });
    await second.send('POST', '/account/confirm/send', {});
    const late = await visitor.send('POST', '/account/confirm', { t: tokenIn((await mailsTo('shared@mail.test'))[0]!, 'confirm') });
    expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('该邮箱已被其他账号使用')]);
    // A changed address invalidates the pending confirmation, and the old address can no longer be used to sign in.
    await first.api('update_profile', { email: 'new@mail.test', qq: '' });
    expect(await new AccountVisitor(panel).api('login', { username: 'shared@mail.test', password: PASSWORD })).toMatchObject({
      code: '用户不存在或密码错误',
    });
    expect((await visitor.send('POST', '/account/confirm', { t })).status).toBe(410);
  });

  it('open the registration form if the reseller requires confirmed addresses; existing customers are notified by mail only', async () => {
    expect(await registerBy('mail')).toMatchObject({ success: true });
    expect(await visitor.page('/account/register')).not.toContain('name="username"');
    expect(await visitor.api('register', form('sneaky_1', { email: 'new@buyer.test' }))).toMatchObject({
      code: 'ok',
      message: expect.stringContaining('注册链接') as string,
    });
    expect(await panel.get(Database).repository(Customer).countBy({ usernameKey: 'sneaky_1' })).toBe(0);
    const token = tokenIn((await mailsTo('new@buyer.test'))[0]!, 'register');
    expect(await visitor.page(`/account/register?t=${token}`)).toContain('new@buyer.test');
    expect(await visitor.api('register', form('buyer_1', { email: 'evil@other.test', token }))).toMatchObject({ code: 'ok' });
    expect(await visitor.api('me')).toMatchObject({ user: { username: 'buyer_1', email: 'new@buyer.test' } });
    expect(await new AccountVisitor(panel).api('login', { username: 'new@buyer.test', password: PASSWORD })).toMatchObject({ code: 'ok' });
    expect(await new AccountVisitor(panel).api('register', form('buyer_2', { token }))).toMatchObject({ code: '该邮箱已被其他账号使用' });
    const again = await new AccountVisitor(panel).api('register', { email: 'new@buyer.test' });
    expect(again).toMatchObject({ code: 'ok', message: expect.stringContaining('注册链接') as string });
    expect((await mailsTo('new@buyer.test'))[1]).toContain('/account/login');
    expect(await new AccountVisitor(panel).api('register', form('forger_1', { token: `${token}x` }))).toMatchObject({
      code: expect.stringContaining('链接已失效') as string,
    });
    await registerBy('closed');
    expect(await new AccountVisitor(panel).api('register', form('late_1'))).toMatchObject({ code: '本站暂未开放注册' });
    await registerBy('name');
  });
});

describe('second factor', () => {
  it('is required after the password; each TOTP and recovery code works once', async () => {
    const alice = await signedUp('factor_1');
    const begun = await (await alice.send('POST', '/account/security/begin', {})).text();
    const codes = new AuthenticatorApp(/class="secret">([A-Z2-7]+)</.exec(begun)![1]!);
    expect(await (await alice.send('POST', '/account/security/confirm', { code: '000000' })).text()).toContain('验证码不正确');
    const code = codes.at(new Date());
    const shown = await (await alice.send('POST', '/account/security/confirm', { code })).text();
    const recovery = [...shown.matchAll(/<code>([a-z2-9]{5}-[a-z2-9]{5})</g)].map(([, found]) => found!);
    expect(recovery).toHaveLength(10);
    const password = () => visitor.api('login', { username: 'factor_1', password: PASSWORD });
    const first = await password();
    expect(first).toMatchObject({ need: 'totp', step: expect.any(String) as string });
    expect(await visitor.api('me')).toMatchObject({ logged_in: false });
    const step = String(first.step);
    // The code was already used by the confirmation.
    expect(await visitor.api('login', { step, totp: code })).toMatchObject({ fields: { totp: expect.any(String) as string } });
    const answers = await Promise.all([1, 2, 3].map(() => new AccountVisitor(panel).api('login', { step, totp: recovery[0]! })));
    expect(answers.filter(({ code: said }) => said === 'ok')).toHaveLength(1);
    const next = String((await password()).step);
    expect(await visitor.api('login', { step: next, totp: recovery[0]! })).not.toMatchObject({ code: 'ok' });
    expect(await visitor.api('login', { step: next, totp: recovery[1]! })).toMatchObject({ code: 'ok' });
    const removal = await alice.send('POST', '/account/security/remove', { password: 'wrong-1', code: recovery[2]! });
    expect(await removal.text()).toContain('原密码错误');
    await alice.send('POST', '/account/security/remove', { password: PASSWORD, code: recovery[2]! });
    expect(await new AccountVisitor(panel).api('login', { username: 'factor_1', password: PASSWORD })).toMatchObject({ code: 'ok' });
  });

  it('keeps its secret across wrong codes and tabs for an hour', async () => {
    const bob = await signedUp('factor_2');
    const post = async (path: string, code = '') => {
      const response = await bob.send('POST', `/account/security/${path}`, { code });
      const text = await response.text();
      return { status: response.status, text, secret: /class="secret">([A-Z2-7]+)</.exec(text)?.[1] };
    };
    const { secret } = await post('begin');
    for (const code of ['000000', '', 'x'.repeat(16)]) {
      const again = await post('confirm', code);
      expect(again).toMatchObject({ status: 422, secret });
      expect(again.text).toMatch(
        /<input(?= [^>]*aria-invalid="true")[^>]* name="code"[^>]*><small class="wrong" id="code-error">验证码不正确/,
      );
    }
    // A second tab continues with the same secret; GET requests to the addresses of forms redirect, because language links and the sign-in
    // lead there.
    expect((await post('begin')).secret).toBe(secret);
    for (const form of ['begin', 'confirm']) {
      const { status, headers } = await bob.send('GET', `/account/security/${form}`);
      expect([status, headers.get('location')]).toEqual([303, '/account/security']);
    }
    const rows = panel.get(Database).repository(SecondFactor);
    const { accountId } = await rows.findOneByOrFail({ side: 'customer', confirmedAt: IsNull() });
    await rows.update({ side: 'customer', accountId }, { createdAt: new Date(Date.now() - 3_600_000) });
    const late = await post('confirm', new AuthenticatorApp(secret!).at(new Date()));
    expect(late).toMatchObject({ status: 422, text: expect.stringContaining('一小时内有效') as string });
    expect([late.secret, late.text.includes('code-error')]).toEqual([expect.not.stringMatching(secret!), false]);
    expect((await post('confirm', '000000')).secret).toBe(late.secret);
    const typed = new AuthenticatorApp(late.secret!).at(new Date()).replace(/^.../, '$& ');
    expect(await post('confirm', typed)).toMatchObject({ status: 200, text: expect.stringContaining('恢复码') as string });
    // A tab that still shows the form.
    for (const form of ['confirm', 'begin']) {
      expect(await post(form, typed)).toMatchObject({ status: 422, text: expect.stringContaining('两步验证已经开启') as string });
    }
  });

  it('shows and confirms its secret only in the session that began it', async () => {
    const owner = await signedUp('factor_3');
    const other = new AccountVisitor(panel);
    const signIn = () => other.api('login', { username: 'factor_3', password: PASSWORD });
    expect(await signIn()).toMatchObject({ code: 'ok' });
    const post = async (by: AccountVisitor, path: string, secret?: string) => {
      const code = secret ? new AuthenticatorApp(secret).at(new Date()) : '';
      const response = await by.send('POST', `/account/security/${path}`, { code });
      const text = await response.text();
      return { status: response.status, text, secret: /class="secret">([A-Z2-7]+)</.exec(text)?.[1] };
    };
    const over = { status: 422, text: expect.stringContaining('重新设置') as string };
    const { secret } = await post(owner, 'begin');
    // The other session sees nothing of it; its own start replaces it.
    const replaced = (await post(other, 'begin')).secret!;
    expect(replaced).not.toBe(secret);
    const refused = await post(owner, 'confirm', secret);
    expect(refused).toMatchObject(over);
    expect([secret, replaced]).not.toContain(refused.secret);
    expect(await post(other, 'confirm', replaced)).toMatchObject(over);
    // Signing in again is another session, as is one in another browser.
    const { secret: mine } = await post(owner, 'begin');
    const before = (await post(other, 'begin')).secret!;
    expect(await signIn()).toMatchObject({ code: 'ok' });
    expect(await post(other, 'confirm', before)).toMatchObject(over);
    expect(await post(owner, 'confirm', mine)).toMatchObject(over);
    const last = (await post(owner, 'begin')).secret!;
    const tabs = await Promise.all([post(owner, 'confirm', last), post(owner, 'confirm', last)]);
    expect(tabs.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(tabs.find(({ status }) => status === 422)!.text).toContain('两步验证已经开启');
  });

  it('cannot be brute-forced, and neither can a password', async () => {
    await signedUp('guessed_1');
    const codes: unknown[] = [];
    let status = 200;
    for (let tries = 0; tries < 12; tries += 1) {
      const response = await visitor.send('POST', '/account/api/login', { username: 'guessed_1', password: `wrong-${tries}` });
      status = response.status;
      codes.push(((await response.json()) as { code: string }).code);
    }
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => '用户不存在或密码错误'));
    expect(status).toBe(429);
    // From this address the correct password is refused, too; the rest of the account is not affected.
    expect((await visitor.send('POST', '/account/api/login', { username: 'guessed_1', password: PASSWORD })).status).toBe(429);
  });
});

it('lists a customer’s sessions and ends one or all others, but never another customer’s', async () => {
  const here = await signedUp('session_1');
  const there = new AccountVisitor(panel);
  await there.api('login', { username: 'session_1', password: PASSWORD });
  const stranger = await signedUp('session_2');
  const page = await here.page('/account/security');
  const id = /name="session" value="(\d+)"/.exec(page)![1]!;
  expect(page.match(/<td>\d{4}-\d\d-\d\d \d\d:\d\d UTC\+8<\/td>/g), 'when it was seen, with the zone').toHaveLength(2);
  expect(await (await stranger.send('POST', '/account/security/end', { session: id })).text()).toContain('该登录已经结束');
  expect(await there.api('me')).toMatchObject({ logged_in: true });
  await here.send('POST', '/account/security/end', { session: id });
  expect(await there.api('me')).toMatchObject({ logged_in: false });
  await there.api('login', { username: 'session_1', password: PASSWORD });
  await here.send('POST', '/account/security/end', { session: 'all' });
  expect(await there.api('me')).toMatchObject({ logged_in: false });
  expect(await here.api('me')).toMatchObject({ logged_in: true });
});
