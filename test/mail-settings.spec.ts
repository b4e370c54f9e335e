import { afterAll, beforeAll, expect, it } from 'vitest';

import { SiteSettings } from '../src/site/index.js';

import { serveTcp } from './support/loopback-server.js';
import { TestPanel } from './support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const page = async () => (await panel.adminFetch('/admin/settings?tab=mail', { headers: { 'Accept-Language': 'en' } })).text();

it('keeps the password encrypted, shows it to nobody, and keeps values that were not sent', async () => {
  expect(
    await panel.admin('mailmode', {
      host: 'smtp.mail.test',
      user: 'panel@mail.test',
      password: 'app-pass-77',
      port: '587',
      tls: 'starttls',
    }),
  ).toMatchObject({
    success: true,
    code: '修改成功',
  });
  const kept = panel.get(SiteSettings).current.mailPassword!;
  expect(kept).toMatch(/^sealed:1:/);
  expect(await page()).not.toContain('app-pass-77');
  expect(await page()).not.toContain(kept);
  await panel.admin('mailmode', { name: 'Sail', password: '' });
  expect(panel.get(SiteSettings).current).toMatchObject({
    mailHost: 'smtp.mail.test',
    mailPort: 587,
    mailSender: 'Sail',
    mailPassword: kept,
  });
  // Someone who may change the settings cannot get a password by entering a server of his own.
  expect(await panel.admin('mailmode', { host: 'smtp.evil.test' })).toMatchObject({
    success: false,
    fields: { password: expect.any(String) },
  });
  expect(panel.get(SiteSettings).current).toMatchObject({ mailHost: 'smtp.mail.test', mailPassword: kept });
  expect(await panel.admin('mailmode', { host: 'smtp2.mail.test', password: 'app-pass-78', tls: 'STARTTLS' })).toMatchObject({
    success: true,
  });
  await panel.admin('mailmode', { user: '' });
  expect(panel.get(SiteSettings).current).toMatchObject({ mailUser: '', mailPassword: null });
});

it.each([
  ['host', 'smtp.mail.test/path'],
  ['host', 'a b'],
  ['port', '0'],
  ['port', '70000'],
  ['tls', 'maybe'],
  ['from', 'a@mail.test, b@mail.test'],
  ['from', 'nobody'],
  ['name', 'Sail" <evil@mail.test>'],
])('rejects %s = %s at its field', async (field, value) => {
  expect(await panel.admin('mailmode', { [field]: value })).toMatchObject({ success: false, fields: { [field]: expect.any(String) } });
});

it('explains the result of a test', async () => {
  await panel.admin('mailmode', { host: '' });
  expect(await panel.admin('mailcs', { to: 'me@mail.test' })).toMatchObject({ success: false, err: 'E_STATE' });
  const server = await serveTcp((socket) => {
    socket.on('data', (data) => socket.write(data.toString().startsWith('EHLO') ? '250 hello\r\n' : '553 5.7.1 not your address\r\n'));
    socket.write('220 hello\r\n');
  });
  await panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', user: '', from: 'panel@mail.test' });
  const answer = await panel.admin('mailcs', { to: 'me@mail.test' });
  expect(answer).toMatchObject({ success: false, err: 'E_UNREACH', code: expect.stringContaining('5.7.1 not your address') });
  expect(answer.code).toContain('不接受发件地址');
  await server.close();
  expect((await panel.admin('mailcs', { to: 'me@mail.test' })).code).toContain('拒绝连接');
  expect(await panel.admin('mailcs', { to: 'me' })).toMatchObject({ success: false, fields: { to: expect.any(String) } });
  expect(await page()).toContain('Send a test email');
});
