import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Session } from '../../src/auth/index.js';
import { startPanel, type Panel } from '../support/start-panel.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient } from '../support/panel-client.js';

const PUBLIC = { BASE_URL: 'https://panel.example.com', TRUST_PROXY: '127.0.0.1' };

describe('F12 public but not exposed', () => {
  it.each([
    'https://panel.example.com',
    'http://203.0.113.9:3000/panel',
    'http://[2001:db8::1]/',
    'https://localhost.example.com',
    'https://127.0.0.1.nip.io',
  ])('%s is a public address, whatever HOST is', (url) => {
    const env = { HOST: '127.0.0.1', BASE_URL: url };
    expect(new AppConfig(env).defaultPasswordAllowed).toBe(false);
    expect(() => new AppConfig({ ...env, CAPTCHA: 'off' })).toThrow(
      'CAPTCHA must be svg when the host of BASE_URL is not a loopback address',
    );
    expect(() => new AppConfig({ ...env, CAPTCHA: 'fixed:abcd' })).toThrow(/CAPTCHA must be svg/);
    expect(() => new AppConfig({ ...env, RATE_LIMIT: 'off' })).toThrow(
      'RATE_LIMIT must be on when the host of BASE_URL is not a loopback address',
    );
    expect(() => new AppConfig({ ...env, ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(
      'ADMIN_PASSWORD must not be the published default when the host of BASE_URL',
    );
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000/panel', 'http://[::1]:3000', 'http://panel.localhost:3000'])(
    '%s is this machine',
    (url) => {
      expect(new AppConfig({ BASE_URL: url, CAPTCHA: 'off', RATE_LIMIT: 'off' })).toMatchObject({
        defaultPasswordAllowed: true,
        rateLimit: false,
      });
    },
  );

  it('HOST alone does the same', () => {
    expect(() => new AppConfig({ HOST: '0.0.0.0', CAPTCHA: 'off' })).toThrow('CAPTCHA must be svg when HOST is not a loopback address');
    expect(() => new AppConfig({ HOST: '192.0.2.1', RATE_LIMIT: 'off' })).toThrow(
      'RATE_LIMIT must be on when HOST is not a loopback address',
    );
  });

  describe('an installation that already has the default password', () => {
    let place: TestPlace;
    let panel: Panel;
    let token: string;
    beforeAll(async () => {
      place = await createMigratedPlace({ CAPTCHA: 'off' });
      const home = await startPanel(place.config);
      token = (await new PanelClient(home.url).login('admin', 'admin', DEFAULT_ADMIN_PASSWORD)).cookies.get('admin_token')!;
      await home.close();
      panel = await startPanel(
        new AppConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: '0', SITES_PORT: '0', ...PUBLIC }),
      );
      await panel.app.get(SiteSettings).change({ adminCaptcha: false });
    });
    afterAll(async () => {
      await panel.close();
      await place.dispose();
    });

    it('lets nobody in with it, and ends sessions that were opened with it', async () => {
      const before = new PanelClient(panel.url);
      before.cookies.set('admin_token', token);
      expect((await before.ajax('admin', { gn: 'listhh' })).json).toEqual({ code: '请登陆后台' });
      const asked = await panel.database.repository(Session).count();
      const refused = await new PanelClient(panel.url).ajax('admin', { gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
      expect(refused.json).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
      expect(await panel.database.repository(Session).count()).toBe(asked);
    });
  });
});
