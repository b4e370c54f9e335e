import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sendRaw } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

describe('W3 addresses of deployed links', () => {
  it.each([
    ['/user/login.php', '/user/login'],
    ['/admin/login.php', '/admin/login'],
    ['/user/index.php', '/user/'],
    ['/admin/index.php', '/admin/'],
  ])('%s redirects to %s, with its query', async (from, to) => {
    for (const query of ['', '?user=alice&next=%2Fx', '?a=1&a=2&b=%E4%B8%AD#x', '?//evil.test/', '?u=http://evil.test']) {
      const answer = await panel.fetch(from + query);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, to + query.replace(/#.*/, '')]);
    }
    const posted = await panel.fetch(`${from}?x=1`, { method: 'POST', body: new URLSearchParams({ user: 'a', pass: 'b' }) });
    expect([posted.status, posted.headers.get('location'), posted.headers.getSetCookie()]).toEqual([303, `${to}?x=1`, []]);
    expect((await panel.fetch(from, { method: 'HEAD' })).status).toBe(302);
  });

  it('they reach the page', async () => {
    const login = await fetch(`${panel.url}/user/login.php?lang=en`);
    expect([login.status, new URL(login.url).pathname]).toEqual([200, '/user/login']);
    expect((await panel.fetch('/admin/index.php', { headers: { Cookie: panel.adminCookie } })).headers.get('location')).toBe('/admin/');
  });

  it('they are exact: similar addresses lead nowhere', async () => {
    for (const path of [
      '/USER/login.php',
      '/user/Login.php',
      '/user/login.php/',
      '/%75ser/login.php',
      '/user/login%2ephp',
      '//user/login.php',
      '/user//login.php',
      '/user/login.php;x=1',
      '/user/login.phpx',
      '/docker/login.php',
      '/x/user/login.php',
    ]) {
      const answer = await sendRaw(panel.url, `GET ${path} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n`);
      expect([path, /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]]).toEqual([path, '404']);
    }
  });
});
