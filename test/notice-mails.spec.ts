import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { BackgroundQueue, type TaskTurn } from '../src/jobs/index.js';
import { MailBounce, Notice, NoticeDelivery, Notices, type NoticeDraft } from '../src/notify/index.js';
import { DeliveryWorker } from '../src/notify/sending/index.js';

import { refusal, startMailServer, type TestMailServer } from './support/mail-server.js';
import { TestPanel, type AjaxAnswer } from './support/panel.js';

let panel: TestPanel;
let server: TestMailServer;
const refused = new Map<string, Error>();

beforeAll(async () => {
  panel = await TestPanel.start();
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => done(refused.get(address)),
  });
  await panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test', name: 'Sail' });
});
afterAll(async () => {
  await panel.close();
  await server.close();
});

async function account(user: string, email: string | null): Promise<string> {
  const cookie = await panel.signInUser(user);
  await panel.get(Database).repository(HostingAccount).update({ username: user }, { email });
  return cookie;
}
const tell = (user: string, key: string, over: Partial<NoticeDraft> = {}) =>
  panel.get(Notices).send({
    to: { account: user },
    kind: 'monitor',
    level: 'warning',
    key,
    title: { key: 'common.minutes', params: { n: 7 } },
    text: { key: 'common.minutes', params: { n: 8 } },
    link: '/user/orders',
    ...over,
  });
const deliveries = (username: string) =>
  panel
    .get(Database)
    .repository(NoticeDelivery)
    .find({ where: { username }, order: { id: 'ASC' } });
/** The mail sent to an address, after everything due was sent. */
async function mailsTo(address: string): Promise<string[]> {
  await panel.get(BackgroundQueue).idle();
  return server.mails.filter(({ to }) => to === address).map(({ text }) => text);
}
const user = async (cookie: string, gn: string, fields: Record<string, string> = {}) =>
  (await (
    await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { Cookie: cookie } })
  ).json()) as AjaxAnswer;
/** Path of the link in an email. */
const tokenIn = (mail: string): string =>
  /http:\/\/127\.0\.0\.1:\d+(\/notices\/mail\?t=[\w-]+)/.exec(mail.replace(/=\r\n/g, '').replace(/=3D/g, '='))![1]!;

/** RFC 3834: prevents out-of-office replies. */
const BY_A_PROGRAM = /^Auto-Submitted: auto-generated\r$/m;

describe('a notice by email', () => {
  it('is sent to the owner of the account once, and says where to look', async () => {
    await account('mailed01', 'one@mail.test');
    await tell('mailed01', 'a');
    await tell('mailed01', 'a');
    const [mail, ...more] = await mailsTo('one@mail.test');
    expect(more).toEqual([]);
    expect(mail).toMatch(/^From: Sail <panel@sail\.test>\r$/m);
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(mail!.replace(/\r\n /g, '')).toMatch(/^List-Unsubscribe: *<http:\/\/127\.0\.0\.1:\d+\/notices\/mail\?t=[\w-]+>\r$/m);
    expect(mail).toMatch(BY_A_PROGRAM);
    expect(await deliveries('mailed01')).toMatchObject([{ state: 'sent', attempts: 1, target: 'one@mail.test', error: null }]);
  });

  it('is not sent for mere information, without a known address, or after a rollback', async () => {
    await account('mailed02', 'two@mail.test');
    await account('mailed03', null);
    await tell('mailed02', 'info', { level: 'info' });
    await tell('mailed02', 'unmailed', { mail: false });
    await tell('mailed03', 'a');
    const undone = panel.get(Database).transaction(async () => {
      await tell('mailed02', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await mailsTo('two@mail.test')).toEqual([]);
    expect([await deliveries('mailed02'), await deliveries('mailed03')]).toEqual([[], []]);
  });

  it('is unsubscribed by its link without signing in, but not by just opening the link', async () => {
    const cookie = await account('mailed04', 'four@mail.test');
    await tell('mailed04', 'first');
    const link = tokenIn((await mailsTo('four@mail.test'))[0]!);
    const looked = await panel.fetch(link);
    expect([looked.status, (await looked.text()).includes('method="post"')]).toEqual([200, true]);
    await tell('mailed04', 'second');
    expect(await mailsTo('four@mail.test')).toHaveLength(2);
    const clicked = await panel.fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect(clicked.status).toBe(200);
    await tell('mailed04', 'third');
    await tell('mailed04', 'other kind', { kind: 'traffic' });
    expect(await mailsTo('four@mail.test')).toHaveLength(3);
    expect(await user(cookie, 'tzsz', { monitor_mail: 'true' })).toMatchObject({ success: true });
    await tell('mailed04', 'fourth');
    expect(await mailsTo('four@mail.test')).toHaveLength(4);
    for (const wrong of ['', 'x', link.split('t=')[1]!.slice(0, -2)]) {
      for (const method of ['GET', 'POST']) expect((await panel.fetch(`/notices/mail?t=${wrong}`, { method })).status).toBe(404);
    }
  });

  it('is sent to a new address once its owner has confirmed it', async () => {
    const cookie = await account('mailed05', 'old5@mail.test');
    expect(await user(cookie, 'tzsz', { email: 'a@mail.test, b@mail.test' })).toMatchObject({
      success: false,
      fields: { email: expect.any(String) },
    });
    expect(await user(cookie, 'tzsz', { email: 'new5@mail.test', yy: 'en' })).toMatchObject({ success: true });
    await tell('mailed05', 'before');
    expect(await mailsTo('old5@mail.test')).toHaveLength(1);
    const [confirm] = await mailsTo('new5@mail.test');
    expect(confirm).toMatch(BY_A_PROGRAM);
    await panel.fetch(tokenIn(confirm!), { method: 'POST' });
    await tell('mailed05', 'after');
    const [, mail] = await mailsTo('new5@mail.test');
    expect(mail).toContain('8 minutes');
    expect(await mailsTo('old5@mail.test')).toHaveLength(1);
    const bind = (mail: string) => user(cookie, 'mailbd', { mail });
    expect(await bind('no address')).toMatchObject({ success: false, fields: { mail: expect.any(String) } });
    expect(await bind('third5@mail.test')).toMatchObject({ success: true });
    await tell('mailed05', 'still');
    expect(await mailsTo('new5@mail.test')).toHaveLength(3);
    await panel.fetch(tokenIn((await mailsTo('third5@mail.test'))[0]!), { method: 'POST' });
    await tell('mailed05', 'bound');
    expect([(await mailsTo('third5@mail.test')).length, (await mailsTo('new5@mail.test')).length]).toEqual([2, 3]);
    expect(await bind('third5@mail.test')).toMatchObject({ success: true });
    expect(await mailsTo('third5@mail.test')).toHaveLength(2);
  });

  it('is combined with others when many arrive at once', async () => {
    await account('mailed06', 'six@mail.test');
    for (let n = 0; n < 9; n += 1) await tell('mailed06', `flood-${n}`);
    expect(await mailsTo('six@mail.test')).toHaveLength(5);
    const worker = panel.get(DeliveryWorker);
    const [waiting] = (await deliveries('mailed06')).filter(({ state }) => state === 'waiting');
    const { side, accountId, route, target } = waiting!;
    await worker.deliverDigest({ side, accountId, route, target }, turn(1));
    expect((await mailsTo('six@mail.test')).length).toBe(6);
    expect((await deliveries('mailed06')).every(({ state }) => state === 'sent')).toBe(true);
  });

  it('is not sent when it was withdrawn meanwhile', async () => {
    await account('mailed07', 'seven@mail.test');
    refused.set('seven@mail.test', refusal(451, 'greylisted, try later'));
    await tell('mailed07', 'a');
    expect(await mailsTo('seven@mail.test')).toEqual([]);
    const [delivery] = await deliveries('mailed07');
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, error: { params: { reply: expect.stringContaining('greylisted') } } });
    await panel.admin('tzsc', { id: String(delivery!.noticeId) });
    refused.clear();
    await panel.get(DeliveryWorker).deliver({ id: delivery!.id }, turn(2));
    expect([await mailsTo('seven@mail.test'), (await deliveries('mailed07'))[0]!.state]).toEqual([[], 'dropped']);
  });
});

const turn = (attempt: number): TaskTurn => ({ id: '1', attempt, signal: new AbortController().signal, progress: () => undefined });

describe('mail that cannot be delivered', () => {
  it('is retried, and sent as soon as the server accepts it', async () => {
    await account('later001', 'later@mail.test');
    refused.set('later@mail.test', refusal(450, 'busy'));
    await tell('later001', 'a');
    await mailsTo('later@mail.test');
    refused.clear();
    const [{ id }] = (await deliveries('later001')) as [NoticeDelivery];
    await panel.get(DeliveryWorker).deliver({ id }, turn(2));
    await panel.get(DeliveryWorker).deliver({ id }, turn(3));
    expect(await mailsTo('later@mail.test')).toHaveLength(1);
    expect(await deliveries('later001')).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('marks a rejected address, notifies the administrator once, and stops until someone sends it again', async () => {
    await account('bounce01', 'Bounce@mail.test');
    refused.set('Bounce@mail.test', refusal(550, 'no such mailbox'));
    await tell('bounce01', 'a');
    await panel.get(BackgroundQueue).idle();
    await tell('bounce01', 'b');
    await panel.get(BackgroundQueue).idle();
    const failed = await deliveries('bounce01');
    expect(failed).toMatchObject([{ state: 'failed' }, { state: 'failed', error: { key: 'notify.mail_failure.bounced' } }]);
    expect(await panel.get(Database).repository(MailBounce).find()).toMatchObject([{ address: 'bounce@mail.test' }]);
    const told = await panel.get(Database).repository(Notice).findBy({ side: 'admin' });
    expect(told.filter(({ title }) => title.includes('Bounce@mail.test'))).toHaveLength(1);
    refused.clear();
    expect(await panel.admin('tdcf', { id: String(failed[0]!.id) })).toMatchObject({ success: true });
    expect(await mailsTo('Bounce@mail.test')).toHaveLength(1);
    expect(await panel.admin('tdcf', { id: '999999' })).toMatchObject({ success: false, err: 'E_STATE' });
    const { rows } = (await panel.admin('listtdjl', { ss: 'bounce', zt: 'failed' })) as unknown as { rows: Record<string, string>[] };
    expect(rows.map(({ cw }) => cw)).toEqual([expect.stringContaining('no such mailbox')]);
  });

  it('because of the mail server waits, and the administrator is notified once', async () => {
    await account('broken01', 'broken@mail.test');
    await panel.admin('mailmode', { tls: 'starttls' });
    await tell('broken01', 'a');
    await tell('broken01', 'b');
    await panel.get(BackgroundQueue).idle();
    expect((await deliveries('broken01')).map(({ state, error }) => [state, error?.key])).toEqual([
      ['waiting', 'notify.mail_failure.no_tls'],
      ['waiting', 'notify.mail_failure.no_tls'],
    ]);
    await panel.admin('mailmode', { tls: 'none' });
    const told = await panel.get(Database).repository(Notice).findBy({ side: 'admin', title: '邮件发不出去' });
    expect(told).toHaveLength(1);
  });
});

it('an administrator’s settings are on a page, and disabled notices stay disabled', async () => {
  expect(await panel.admin('tzsz', { email: 'root@mail.test', system_bell: 'false', hz: 'false' })).toMatchObject({ success: true });
  const html = await (await panel.adminFetch('/admin/notice-settings')).text();
  expect(html).toContain('value="root@mail.test"');
  await tell('', 'to-admins', { to: 'administrators', kind: 'system', level: 'danger' });
  expect(await mailsTo('root@mail.test')).toHaveLength(1);
  expect(await panel.get(Database).repository(Notice).findOneByOrFail({ key: 'to-admins' })).toMatchObject({ isRead: true });
  expect(await panel.admin('tzsz', { yy: 'fr' })).toMatchObject({ success: false, fields: { yy: expect.any(String) } });
});
