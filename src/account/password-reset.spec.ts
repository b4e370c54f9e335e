import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { AuthenticatorApp } from '../../test/support/authenticator-app.js';
import { startMailServer, type TestMailServer } from '../../test/support/mail-server.js';
import { TestPanel, type AjaxAnswer } from '../../test/support/panel.js';
import { RateLimit, Session } from '../auth/index.js';
import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { HostingAccount } from '../hosting/index.js';
import { BackgroundQueue } from '../jobs/index.js';
import { Notice, Preferences } from '../notify/index.js';
import { OperationLog } from '../operations/index.js';

let panel: TestPanel;
let server: TestMailServer;
const PASSWORD = 'secret-pass-1';

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
  server = await startMailServer();
});
afterAll(async () => {
  await panel?.close();
  await server?.close();
});

const mailOn = () => panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test' });

async function call(gn: string, fields: Record<string, string>, cookie = ''): Promise<AjaxAnswer & { status: number }> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn, ...fields }),
    headers: { Cookie: cookie, 'Accept-Language': 'en' },
  });
  return { ...((await response.json()) as AjaxAnswer), status: response.status };
}
const signIn = (user: string, pass: string) => call('login', { user, pass });
const fresh = () => panel.get(Database).repository(RateLimit).clear();

/** A host whose owner is signed in, with an address. */
async function host(user: string, email: string | null): Promise<{ id: number; cookie: string }> {
  const cookie = await panel.signInUser(user, PASSWORD);
  const accounts = panel.get(Database).repository(HostingAccount);
  await accounts.update({ username: user }, { email });
  const { id } = await accounts.findOneByOrFail({ username: user });
  return { id, cookie };
}
async function mailsTo(address: string): Promise<string[]> {
  await panel.get(BackgroundQueue).idle();
  return server.mails.filter(({ to }) => to === address).map(({ text }) => text.replace(/=\r\n/g, '').replace(/=3D/g, '='));
}
const tokenIn = (mail: string): string => /\/user\/reset\?t=([\w-]+)/.exec(mail)![1]!;
const page = async (path: string) => (await panel.fetch(path, { headers: { Accept: 'text/html', 'Accept-Language': 'en' } })).text();

describe('a user who lost the password', () => {
  it('is told whom to ask if the panel cannot send mail', async () => {
    await panel.admin('setwz', { qq: 'help@sail.test' });
    await host('lost0001', 'one@lost.test');
    const answers = await Promise.all([
      call('zhmm', { user: 'lost0001', mail: 'one@lost.test' }),
      call('zhmm', { user: 'nobody01', mail: 'one@lost.test' }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ success: false, err: 'E_DISABLED', code: expect.stringContaining('help@sail.test') });
    expect(await page('/user/login')).toContain('href="/user/forgot"');
    const forgot = await page('/user/forgot');
    expect(forgot).toContain('help@sail.test');
    expect(forgot).not.toContain('data-ajax="zhmm"');
  });

  it('gets a link that works once, ends every session, and is notified afterwards', async () => {
    await mailOn();
    const { id, cookie } = await host('lost0002', 'two@lost.test');
    expect(await page('/user/forgot')).toContain('data-ajax="zhmm"');
    expect(await call('zhmm', { user: 'LOST0002', mail: 'Two@Lost.test' })).toMatchObject({ success: true });
    const [mail, ...more] = await mailsTo('two@lost.test');
    expect(more).toEqual([]);
    const token = tokenIn(mail!);
    expect(await page(`/user/reset?t=${token}`)).toContain('data-ajax="zhmmcz"');
    // To look, as programs that look for viruses do, does nothing.
    expect(await page(`/user/reset?t=${token}`)).toContain('lost0002');
    expect(await call('zhmmcz', { token, pass: 'short' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await call('zhmmcz', { token, pass: 'another-pass-2' })).toMatchObject({ success: true, redirect: '/user/login?from=reset' });
    expect(await call('wdlog', {}, cookie)).toMatchObject({ code: '请登陆' });
    expect(await signIn('lost0002', PASSWORD)).toMatchObject({ success: false });
    expect(await signIn('lost0002', 'another-pass-2')).toMatchObject({ success: true });
    expect(await call('zhmmcz', { token, pass: 'a-third-pass-3' })).toMatchObject({ err: 'E_STATE' });
    const over = await page(`/user/reset?t=${token}`);
    expect(over).toContain('href="/user/forgot"');
    expect(over).not.toContain('lost0002');
    const told = await panel.get(Database).repository(Notice).findBy({ username: 'lost0002' });
    expect(told.map(({ title }) => title).join()).toContain('邮件链接');
    const lines = await panel.get(Database).repository(OperationLog).findBy({ accountId: id, side: 'user' });
    expect(lines.map(({ category }) => category)).toEqual(expect.arrayContaining(['zhmm', 'zhmmcz']));
    expect(JSON.stringify(lines)).not.toContain(token);
    expect(JSON.stringify(lines)).not.toContain('another-pass-2');
  });

  it('gets the same response without any mail for wrong data', async () => {
    await host('lost0003', 'three@lost.test');
    await host('lost0004', null);
    const right = await call('zhmm', { user: 'lost0003', mail: 'three@lost.test' });
    for (const fields of [
      { user: 'lost0003', mail: 'other@lost.test' },
      { user: 'lost0004', mail: 'four@lost.test' },
      { user: 'löst0003', mail: 'three@lost.test' },
      { user: 'nobody02', mail: 'three@lost.test' },
      { user: 'admin', mail: 'boss@lost.test' },
    ])
      expect(await call('zhmm', fields)).toEqual(right);
    await mailsTo('');
    const mails = server.mails.filter(({ to }) => ['other@lost.test', 'four@lost.test', 'boss@lost.test'].includes(to));
    expect(mails).toEqual([]);
    expect(await mailsTo('three@lost.test')).toHaveLength(1);
    for (const fields of [
      { user: 'lost0003' },
      { mail: 'three@lost.test' },
      { user: 'a"b', mail: 'three@lost.test' },
      { user: 'lost0003', mail: 'three@lost.test\r\nBcc: all@lost.test' },
    ])
      expect(await call('zhmm', fields as Record<string, string>)).toMatchObject({ err: 'E_ARGS' });
  });

  it('gets mails at the confirmed address, and no longer at the previous one', async () => {
    const { id } = await host('lost0005', 'before@lost.test');
    await panel.get(Preferences).change('user', id, () => ({ email: 'now@lost.test', locale: 'en' }));
    await call('zhmm', { user: 'lost0005', mail: 'before@lost.test' });
    await call('zhmm', { user: 'lost0005', mail: 'now@lost.test' });
    expect(await mailsTo('before@lost.test')).toEqual([]);
    expect(await mailsTo('now@lost.test')).toEqual([expect.stringContaining('Set a new password')]);
  });

  it('can request at most three mails an hour, and a network twenty', async () => {
    await fresh();
    await host('lost0006', 'six@lost.test');
    for (let n = 0; n < 3; n += 1) {
      expect(await call('zhmm', { user: 'lost0006', mail: 'six@lost.test' })).toMatchObject({ success: true });
      await panel.get(BackgroundQueue).idle();
    }
    expect(await call('zhmm', { user: 'lost0006', mail: 'six@lost.test' })).toMatchObject({ status: 429, err: 'E_RATE' });
    expect(await mailsTo('six@lost.test')).toHaveLength(3);
    for (let n = 0; n < 16; n += 1)
      expect(await call('zhmm', { user: `nobody${n}`, mail: 'x@lost.test' })).toMatchObject({ success: true });
    expect(await call('zhmm', { user: 'nobody99', mail: 'x@lost.test' })).toMatchObject({ status: 429 });
    await fresh();
  });

  it('cannot use a link that is forged, an hour old, or older than a password change', async () => {
    await host('lost0007', 'seven@lost.test');
    for (const token of ['', 'x', 'A'.repeat(300), 'A'.repeat(3_000)])
      expect((await call('zhmmcz', { token, pass: PASSWORD })).success).toBe(false);
    await call('zhmm', { user: 'lost0007', mail: 'seven@lost.test' });
    const token = tokenIn((await mailsTo('seven@lost.test'))[0]!);
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(await call('zhmmcz', { token: changed, pass: PASSWORD })).toMatchObject({ err: 'E_STATE' });
    const later = new Date(Date.now() + 3_601_000);
    const now = vi.spyOn(Clock.prototype, 'now').mockImplementation(() => later);
    const late = await call('zhmmcz', { token, pass: 'late-pass-1' });
    now.mockRestore();
    expect(late).toMatchObject({ err: 'E_STATE' });
    const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'lost0007' });
    await panel.admin('zjczmm', { id: String(id), pass: 'given-pass-1' });
    expect(await call('zhmmcz', { token, pass: 'late-pass-1' })).toMatchObject({ err: 'E_STATE' });
  });

  it('can use a link only once, even concurrently', async () => {
    await host('lost0008', 'eight@lost.test');
    await call('zhmm', { user: 'lost0008', mail: 'eight@lost.test' });
    const token = tokenIn((await mailsTo('eight@lost.test'))[0]!);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => call('zhmmcz', { token, pass: `new-pass-${n}` })));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const won = answers.findIndex(({ success }) => success);
    expect(await signIn('lost0008', `new-pass-${won}`)).toMatchObject({ success: true });
  });

  it('still needs the second factor at the next sign-in', async () => {
    const { id, cookie } = await host('lost0009', 'nine@lost.test');
    const begun = await call('f2kq', {}, cookie);
    const code = new AuthenticatorApp(String(begun.data.secret)).at(new Date());
    expect(await call('f2qr', { totp: code }, cookie)).toMatchObject({ success: true });
    await call('zhmm', { user: 'lost0009', mail: 'nine@lost.test' });
    const token = tokenIn((await mailsTo('nine@lost.test'))[0]!);
    expect(await call('zhmmcz', { token, pass: 'another-pass-9' })).toMatchObject({ success: true });
    expect(await panel.get(Database).repository(Session).countBy({ scope: 'user', subjectId: id })).toBe(0);
    expect(await signIn('lost0009', 'another-pass-9')).toMatchObject({ data: { need: 'totp' } });
  });

  it('may sign in immediately, however many attempts failed before', async () => {
    await fresh();
    await host('lost0010', 'ten@lost.test');
    for (let n = 0; n < 10; n += 1) await signIn('lost0010', `guess-${n}-x`);
    expect(await signIn('lost0010', PASSWORD)).toMatchObject({ status: 429 });
    await call('zhmm', { user: 'lost0010', mail: 'ten@lost.test' });
    const token = tokenIn((await mailsTo('ten@lost.test'))[0]!);
    await call('zhmmcz', { token, pass: 'another-pass-10' });
    expect(await signIn('lost0010', 'another-pass-10')).toMatchObject({ success: true });
  });
});
