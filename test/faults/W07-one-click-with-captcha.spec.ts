import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { RateLimit, SignInDelay } from '../../src/auth/index.js';
import { startPanel, type Panel } from '../support/start-panel.js';
import { HostingService } from '../../src/hosting/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';

const USER_PASSWORD = 'secret-pass-1';

let place: TestPlace;
let panel: Panel;
beforeAll(async () => {
  // As in a new installation: the users' captcha is on.
  place = await createMigratedPlace({ TRUST_PROXY: '127.0.0.1', CAPTCHA: 'fixed:abcd' });
  panel = await startPanel(place.config);
  await panel.app.get(HostingService).provision({ node: 'local', user: 'shopuser', password: USER_PASSWORD, expiresOn: null }, 'admin');
  vi.spyOn(panel.app.get(SignInDelay), 'wait').mockResolvedValue();
});
afterEach(() => panel.database.repository(RateLimit).clear());
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

function oneClick(client: PanelClient, password: string, address: string, username = 'shopuser'): Promise<PanelAnswer> {
  return client.send(`/user/idcdl.php?${new URLSearchParams({ gn: 'logine', username, password }).toString()}`, {
    headers: { 'x-forwarded-for': address },
  });
}

async function signIn(client: PanelClient, pass: string, address: string): Promise<PanelAnswer> {
  const headers = { 'x-forwarded-for': address };
  await client.ajax('user', { gn: 'yzm' }, headers);
  return client.ajax('user', { gn: 'login', user: 'shopuser', pass, code: 'abcd' }, headers);
}

const browser = () => new PanelClient(panel.url);

describe('W7 one-click sign-in with the captcha on', () => {
  it('signs in, by address and by form, even from another site', async () => {
    for (const init of [
      {},
      {
        method: 'POST',
        body: new URLSearchParams({ gn: 'logine', username: 'shopuser', password: USER_PASSWORD }),
        headers: { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
      },
    ]) {
      const client = browser();
      const answer = await client.send(
        'method' in init ? '/user/idcdl.php' : `/user/idcdl.php?gn=logine&username=shopuser&password=${USER_PASSWORD}`,
        init,
      );
      expect([answer.status, answer.headers.get('location'), answer.headers.get('referrer-policy')]).toEqual([
        302,
        '/user/',
        'no-referrer',
      ]);
      expect((await client.send('/user/')).status).toBe(200);
    }
  });

  it('reports a wrong password, and its failures count together with the login’s for account and network', async () => {
    const wrong = await oneClick(browser(), 'guess', '203.0.113.1');
    expect([wrong.status, wrong.text.includes('用户名或密码错误！')]).toEqual([403, true]);
    for (let i = 0; i < 4; i += 1) await oneClick(browser(), 'guess', '203.0.113.1');
    for (let i = 0; i < 5; i += 1) expect((await signIn(browser(), 'guess', '203.0.113.1')).status).toBe(200);
    expect((await signIn(browser(), USER_PASSWORD, '203.0.113.1')).status).toBe(429);
    expect((await oneClick(browser(), USER_PASSWORD, '203.0.113.1')).headers.get('location')).toMatch(/^\/user\/login\?/);
    expect((await oneClick(browser(), USER_PASSWORD, '203.0.113.2')).headers.get('location')).toBe('/user/');
  });

  it('beyond the limits it leads to the login page with captcha and only the name filled in', async () => {
    for (let i = 0; i < 10; i += 1) await oneClick(browser(), 'guess', '203.0.113.1', 'o"<b>&');
    const client = browser();
    const answer = await oneClick(client, USER_PASSWORD, '203.0.113.1', 'o"<b>&');
    // Names with invalid characters do not count as attempts.
    expect(answer.status).toBe(403);
    for (let i = 0; i < 10; i += 1) await oneClick(browser(), 'guess', '203.0.113.1');
    const led = await oneClick(client, USER_PASSWORD, '203.0.113.1');
    expect([led.status, led.headers.get('location'), led.headers.getSetCookie()]).toEqual([302, '/user/login?from=link&user=shopuser', []]);
    const page = (await client.send(led.headers.get('location')!, { headers: { 'accept-language': 'en' } })).text;
    expect(page).toMatch(/id="username"[^>]*value="shopuser"/);
    expect(page).toContain('data-captcha');
    expect(page).toContain('the link cannot sign you in right now');
  });

  it('guesses from many networks are stopped, not only slowed down; the login page stays open', async () => {
    for (let i = 0; i < 20; i += 1) expect((await oneClick(browser(), 'guess', `203.0.113.${i}`)).status).toBe(403);
    expect((await oneClick(browser(), USER_PASSWORD, '198.51.100.1')).headers.get('location')).toMatch(/^\/user\/login\?/);
    expect((await signIn(browser(), USER_PASSWORD, '198.51.100.1')).json).toMatchObject({ success: true });
  });

  it('a device that signed in before can still sign in', async () => {
    const owner = browser();
    await oneClick(owner, USER_PASSWORD, '198.51.100.1');
    for (let i = 0; i < 12; i += 1) await oneClick(browser(), 'guess', '198.51.100.1');
    expect((await oneClick(owner, USER_PASSWORD, '198.51.100.1')).headers.get('location')).toBe('/user/');
  });
});
