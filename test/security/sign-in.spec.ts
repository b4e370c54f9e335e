import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Session, SignInDelay } from '../../src/auth/index.js';
import { startPanel, type Panel } from '../support/start-panel.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';

const ADMIN_REQUIRED = { code: '请登陆后台' };
const USER_REQUIRED = { code: '请登陆' };
const PASSWORD = 'admin-secret-1';

interface Started {
  panel: Panel;
  place: TestPlace;
  client(): PanelClient;
  stop(): Promise<void>;
}

async function start(env: NodeJS.ProcessEnv): Promise<Started> {
  const place = await createMigratedPlace({ ADMIN_PASSWORD: PASSWORD, ...env });
  const started: Started = {
    panel: await startPanel(place.config),
    place,
    client: () => new PanelClient(started.panel.url),
    stop: async () => {
      await started.panel.close();
      await place.dispose();
    },
  };
  return started;
}

const provision = (panel: Panel, user: string) =>
  panel.app.get(HostingService).provision({ node: 'local', user, password: 'host-secret', expiresOn: null }, 'admin');

describe('sessions', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  });
  afterAll(() => started.stop());

  const admin = () => started.client().login('admin', 'admin', PASSWORD);
  const alive = async (client: PanelClient, side: 'admin' | 'user' = 'admin') => (await client.ajax(side, { gn: 'listhh' })).json;
  const withToken = (side: 'admin' | 'user', token: string) => {
    const client = started.client();
    client.cookies.set(`${side}_token`, token);
    return client;
  };

  it('the cookie is HttpOnly, SameSite=Lax, lasts seven days, and the database has only its hash', async () => {
    const answer = await started.client().ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD });
    const [line] = answer.headers.getSetCookie();
    expect(line).toMatch(/^admin_token=[A-Za-z0-9_-]{43}; /);
    expect(line!.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']);
    const token = /=([^;]+)/.exec(line!)![1]!;
    const rows = await started.panel.database.repository(Session).find();
    expect(rows.map((row) => row.tokenHash)).toContain(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('the cookie is Secure when the panel is reached over TLS', async () => {
    const tls = await start({ BASE_URL: 'https://panel.example' });
    try {
      await tls.panel.app.get(SiteSettings).change({ adminCaptcha: false });
      const client = tls.client();
      const [line] = (await client.ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD })).headers.getSetCookie();
      expect(line).toContain('; Secure');
      const [ended] = (await client.ajax('admin', { gn: 'logout' })).headers.getSetCookie();
      expect(ended).toMatch(/^admin_token=;.*Max-Age=0.*Secure/);
    } finally {
      await tls.stop();
    }
  });

  it('signing in creates a new id, and the old one is invalid', async () => {
    const client = await admin();
    const old = client.cookies.get('admin_token')!;
    await client.login('admin', 'admin', PASSWORD);
    expect(client.cookies.get('admin_token')).not.toBe(old);
    expect(await alive(withToken('admin', old))).toEqual(ADMIN_REQUIRED);
    expect(await alive(client)).toHaveProperty('rows');
  });

  it('an id chosen by someone else is never accepted', async () => {
    const planted = 'A'.repeat(43);
    const client = await withToken('admin', planted).login('admin', 'admin', PASSWORD);
    expect(client.cookies.get('admin_token')).not.toBe(planted);
    expect(await alive(withToken('admin', planted))).toEqual(ADMIN_REQUIRED);
  });

  it.each<Record<string, string>>([{ gn: 'logout' }, { gn: 'login', logout: '1' }])('%j ends the session', async (fields) => {
    const client = await admin();
    const token = client.cookies.get('admin_token')!;
    expect((await client.ajax('admin', fields)).json).toMatchObject({ success: true });
    expect(client.cookies.has('admin_token')).toBe(false);
    expect(await alive(withToken('admin', token))).toEqual(ADMIN_REQUIRED);
  });

  it('a session of one side is invalid on the other', async () => {
    const client = await admin();
    expect(await alive(withToken('user', client.cookies.get('admin_token')!), 'user')).toEqual(USER_REQUIRED);
    await provision(started.panel, 'sideuser');
    const user = await started.client().login('user', 'sideuser', 'host-secret');
    expect(await alive(withToken('admin', user.cookies.get('user_token')!))).toEqual(ADMIN_REQUIRED);
  });

  it("a user's change of password keeps the caller under a new id and ends every other session", async () => {
    await provision(started.panel, 'changer');
    const [client, other] = [
      await started.client().login('user', 'changer', 'host-secret'),
      await started.client().login('user', 'changer', 'host-secret'),
    ];
    const old = client.cookies.get('user_token')!;
    expect((await client.ajax('user', { gn: 'xgpass', yp: 'wrong', pass: 'new-secret-1' })).json).toMatchObject({ success: false });
    expect(await alive(other, 'user')).toHaveProperty('rows');
    expect((await client.ajax('user', { gn: 'xgpass', yp: 'host-secret', pass: 'new-secret-1' })).json).toMatchObject({ success: true });
    expect(client.cookies.get('user_token')).not.toBe(old);
    expect(await alive(client, 'user')).toHaveProperty('total', 1);
    for (const dead of [other, withToken('user', old)]) expect(await alive(dead, 'user')).toEqual(USER_REQUIRED);
    await expect(started.client().login('user', 'changer', 'host-secret')).rejects.toThrow();
    await started.client().login('user', 'changer', 'new-secret-1');
  });

  it("an administrator's change of password does the same", async () => {
    const [client, other] = [await admin(), await admin()];
    const old = client.cookies.get('admin_token')!;
    const change = (ypass: string, xpass: string) => client.ajax('admin', { gn: 'gl', yuser: 'admin', ypass, xpass });
    expect((await change(PASSWORD, 'admin-secret-2')).json).toMatchObject({ success: true });
    expect(await alive(client)).toHaveProperty('total', 1);
    for (const dead of [other, withToken('admin', old)]) expect(await alive(dead)).toEqual(ADMIN_REQUIRED);
    expect((await change('admin-secret-2', PASSWORD)).json).toMatchObject({ success: true });
  });

  it("hhsc ends one's own sessions only, and `all` every one but the caller's", async () => {
    await provision(started.panel, 'owner01');
    await provision(started.panel, 'foreign1');
    const open = (user: string) => started.client().login('user', user, 'host-secret');
    const [mine, second, third, foreign] = [await open('owner01'), await open('owner01'), await open('owner01'), await open('foreign1')];
    const idOf = async (client: PanelClient) =>
      ((await alive(client, 'user')).rows as { id: number; current: boolean }[]).find((row) => row.current)!.id;
    const missing = (await mine.ajax('user', { gn: 'hhsc', id: '999999999' })).json;
    expect((await mine.ajax('user', { gn: 'hhsc', id: String(await idOf(foreign)) })).json).toEqual(missing);
    expect(missing).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await alive(foreign, 'user')).toHaveProperty('rows');
    expect((await mine.ajax('user', { gn: 'hhsc', id: String(await idOf(second)) })).json).toMatchObject({ success: true });
    expect(await alive(second, 'user')).toEqual(USER_REQUIRED);
    expect(await alive(third, 'user')).toHaveProperty('total', 2);
    expect((await mine.ajax('user', { gn: 'hhsc', id: 'all' })).json).toMatchObject({ success: true });
    expect(await alive(third, 'user')).toEqual(USER_REQUIRED);
    expect(await alive(mine, 'user')).toHaveProperty('total', 1);
    expect(await alive(foreign, 'user')).toHaveProperty('total', 1);
  });

  it.each(['pause', 'terminate'] as const)('%s of an account ends its live session', async (change) => {
    const host = await provision(started.panel, `live${change}`);
    const client = await started.client().login('user', `live${change}`, 'host-secret');
    expect(await alive(client, 'user')).toHaveProperty('rows');
    const hosting = started.panel.app.get(HostingService);
    await (change === 'pause' ? hosting.pause(host.id, 'admin', 'admin') : hosting.terminate(host.id, 'admin'));
    expect(await alive(client, 'user')).toEqual(USER_REQUIRED);
    expect((await client.send('/user/')).headers.get('location')).toBe('/user/login');
    // The session does not return when the account is active again.
    if (change === 'pause') {
      await hosting.unpause(host.id, 'admin', 'admin');
      expect(await alive(client, 'user')).toEqual(USER_REQUIRED);
    }
  });

  it('returns to the page that was requested before, and never to another site', async () => {
    const asked = await started.client().send('/admin/hosts?page=2');
    const login = asked.headers.get('location')!;
    expect([asked.status, login]).toEqual([302, '/admin/login?next=%2Fadmin%2Fhosts%3Fpage%3D2']);
    expect((await started.client().send(login)).text).toContain('name="next" value="/admin/hosts?page=2"');
    const signIn = async (next: string) =>
      (await started.client().ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD, next })).json as { redirect: string };
    expect((await signIn('/admin/hosts?page=2')).redirect).toBe('/admin/hosts?page=2');
    expect((await signIn('//evil.test/admin/')).redirect).toBe('/admin/');
    expect((await (await admin()).send(login)).headers.get('location')).toBe('/admin/hosts?page=2');
  });

  it('an unknown account and a wrong password get the same response', async () => {
    await provision(started.panel, 'realuser');
    for (const [side, known] of [
      ['admin', 'admin'],
      ['user', 'realuser'],
    ] as const) {
      const wrong = await started.client().ajax(side, { gn: 'login', user: known, pass: 'not-it-at-all' });
      const unknown = await started.client().ajax(side, { gn: 'login', user: 'nobody-here', pass: 'not-it-at-all' });
      expect([unknown.status, unknown.json]).toEqual([wrong.status, wrong.json]);
      expect(wrong.json).toMatchObject({ success: false });
      expect(wrong.headers.getSetCookie()).toEqual([]);
    }
  });

  it('a closed user side rejects sign-ins and ends no sessions', async () => {
    await provision(started.panel, 'shutout1');
    const client = await started.client().login('user', 'shutout1', 'host-secret');
    const settings = started.panel.app.get(SiteSettings);
    await settings.change({ userPanelOpen: false, contact: '10001' });
    try {
      for (const [who, fields] of [
        [client, { gn: 'listhh' }],
        [started.client(), { gn: 'listhh' }],
        [started.client(), { gn: 'login', user: 'shutout1', pass: 'host-secret' }],
        [started.client(), { gn: 'yzm' }],
        [started.client(), { gn: 'nonsense' }],
      ] as const) {
        const answer = await who.ajax('user', fields);
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({ success: false, err: 'E_DISABLED', code: '控制面板已经关闭！详细请联系站长QQ10001' });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect((await (await admin()).ajax('admin', { gn: 'listhh' })).json).toHaveProperty('rows');
      for (const path of ['/user/', '/user/login']) expect((await client.send(path)).status).toBe(503);
    } finally {
      await settings.change({ userPanelOpen: true });
    }
    expect(await alive(client, 'user')).toHaveProperty('rows');
  });

  describe('input of a login form', () => {
    const NASTY = [
      'admin\r\nadmin',
      'admin\u0000',
      '\u0000',
      '\r\nSet-Cookie: a=b',
      '__proto__',
      'constructor',
      'a'.repeat(9_000),
      '\ud800',
      '😀'.repeat(200),
      "' OR '1'='1",
      '{"$ne":1}',
      '%',
      '../../etc/passwd',
    ];

    it.each(['user', 'pass', 'code'])('no value of %s opens a session or breaks anything', async (field) => {
      for (const side of ['admin', 'user'] as const) {
        for (const value of NASTY) {
          const client = started.client();
          const good = { gn: 'login', user: 'admin', pass: field === 'code' ? 'wrong' : PASSWORD, code: '' };
          const answer = await client.ajax(side, { ...good, [field]: value }, { 'user-agent': 'x' });
          expect([field, value.slice(0, 20), answer.status]).toEqual([field, value.slice(0, 20), 200]);
          expect(answer.json).toMatchObject({ success: false, qk: 4 });
          expect([...client.cookies.keys()]).toEqual([]);
        }
      }
    });

    it('fields that are not text, duplicated or have brackets count as wrong', async () => {
      for (const body of [
        '{"gn":"login","user":{"$ne":1},"pass":["a"]}',
        '{"gn":"login","__proto__":{"user":"admin"},"pass":1}',
        '{"gn":"login","user":null,"pass":true}',
      ]) {
        const answer = await started
          .client()
          .send('/admin/ajax.php', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
        expect([body, answer.status, answer.json.success]).toEqual([body, 200, false]);
      }
      for (const body of [
        'gn=login&user=admin&user=admin&pass=x',
        'gn=login&user[a]=admin&pass[]=x',
        'gn=login&__proto__[user]=admin',
        'gn=login&constructor[prototype][admin]=1&user=admin&pass=x',
      ]) {
        const answer = await started
          .client()
          .send('/admin/ajax.php', { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
        expect([body, answer.status, answer.json.success]).toEqual([body, 200, false]);
      }
      expect(({} as Record<string, unknown>).user).toBeUndefined();
    });

    it('an invalid token in a cookie counts as none', async () => {
      for (const token of ['', 'null', '0', '%00', "' OR 1=1 --", 'A'.repeat(43), 'A'.repeat(5_000)])
        expect(await alive(withToken('admin', token))).toEqual(ADMIN_REQUIRED);
    });
  });
});

describe('the captcha', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start({ CAPTCHA: 'fixed:abcd', RATE_LIMIT: 'off' });
  });
  afterAll(() => started.stop());

  const login = (client: PanelClient, code: string) => client.ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD, code });
  const asked = async () => {
    const client = started.client();
    expect((await client.ajax('admin', { gn: 'yzm' })).json).toMatchObject({
      success: true,
      image: expect.stringMatching(/^data:image\/svg\+xml;base64,/) as string,
    });
    return client;
  };

  it('accepts the right answer once, ignoring case', async () => {
    const client = await asked();
    expect((await login(client, 'ABCD')).json).toMatchObject({ success: true });
    expect((await login(client, 'abcd')).json).toMatchObject({ success: false });
  });

  it('is used up by a wrong answer', async () => {
    const client = await asked();
    expect((await login(client, 'wrong')).json).toMatchObject({ success: false });
    expect((await login(client, 'abcd')).json).toMatchObject({ success: false });
  });

  it('is valid only for its browser and side', async () => {
    const client = await asked();
    expect((await login(started.client(), 'abcd')).json).toMatchObject({ success: false });
    await provision(started.panel, 'captuser');
    expect((await client.ajax('user', { gn: 'login', user: 'captuser', pass: 'host-secret', code: 'abcd' })).json).toMatchObject({
      success: false,
    });
    expect((await login(client, 'abcd')).json).toMatchObject({ success: true });
  });

  it('accepts one of many attempts at once', async () => {
    const client = await asked();
    const answers = await Promise.all(Array.from({ length: 12 }, () => login(client, 'abcd')));
    expect(answers.filter((answer) => answer.json.success === true)).toHaveLength(1);
  });

  it('comes as an image for each side, bound to the same cookie', async () => {
    for (const side of ['admin', 'user']) {
      const client = started.client();
      const answer = await client.send(`/${side}/code.php`);
      expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(answer.headers.getSetCookie()[0]).toMatch(/^svc_visit=.*HttpOnly.*SameSite=Lax/);
    }
  });
});

describe('password attempts', () => {
  const wrong = (started: Started, user: string, headers: Record<string, string> = {}) =>
    started.client().ajax('admin', { gn: 'login', user, pass: 'not-it-at-all' }, headers);
  const verdict = (answers: PanelAnswer[]) => {
    const refused = answers.filter((answer) => answer.status === 429);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(600);
      expect(answer.json).toMatchObject({ success: false, err: 'E_RATE' });
    }
    return [answers.filter((answer) => answer.status === 200).length, refused.length];
  };

  let direct: Started;
  let proxied: Started;
  beforeAll(async () => {
    direct = await start({ CAPTCHA: 'off' });
    proxied = await start({ CAPTCHA: 'off', TRUST_PROXY: '127.0.0.1/32' });
  });
  afterAll(async () => {
    await direct.stop();
    await proxied.stop();
  });

  it('thirty of fifty at once are processed per address, whatever the headers say', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        wrong(direct, `user${n}`, {
          'x-forwarded-for': `203.0.113.${n}`,
          'x-real-ip': `203.0.113.${n}`,
          'cf-connecting-ip': `203.0.113.${n}`,
          forwarded: `for=203.0.113.${n}`,
        }),
      ),
    );
    expect(verdict(answers)).toEqual([30, 20]);
    const right = await direct.client().ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD });
    expect(right.status).toBe(429);
  });

  it('ten of fifty at once are processed per account and network, and all from other networks, with growing delays', async () => {
    const waited: number[] = [];
    vi.spyOn(proxied.panel.app.get(SignInDelay), 'wait').mockImplementation(async (seconds) => void waited.push(seconds));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => wrong(proxied, n % 2 ? 'Victim' : 'victim', { 'x-forwarded-for': '203.0.113.1' })),
    );
    expect(verdict(answers)).toEqual([10, 40]);
    expect(Math.max(...waited)).toBe(0);
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, n) => wrong(proxied, 'victim', { 'x-forwarded-for': `203.0.113.${n + 2}` })),
    );
    expect(verdict(others)).toEqual([20, 0]);
    expect(Math.max(...waited)).toBe(15);
    // Other names from other addresses are not affected.
    expect((await wrong(proxied, 'another', { 'x-forwarded-for': '198.51.100.7' })).status).toBe(200);
  });

  it('a hop of an untrusted proxy does not count', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => wrong(proxied, `name${n}`, { 'x-forwarded-for': `192.0.2.${n}, 198.51.100.20` })),
    );
    expect(verdict(answers)).toEqual([30, 10]);
  });

  it('the log shows the address a request came from', async () => {
    const client = proxied.client();
    await client.ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD }, { 'x-forwarded-for': '192.0.2.99, 198.51.100.44' });
    expect(((await client.ajax('admin', { gn: 'listlog' })).json.rows as { ip: string }[])[0]!.ip).toBe('198.51.100.44');
  });
});

describe('the default password', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start({ CAPTCHA: 'off', ADMIN_PASSWORD: undefined });
  });
  afterAll(() => started.stop());

  it('is announced until it is changed, and never accepted where it is not allowed', async () => {
    const client = await started.client().login('admin', 'admin', DEFAULT_ADMIN_PASSWORD);
    const banner = 'class="btn btn-danger flex-shrink-0" href="/admin/settings?tab=account"';
    expect((await client.send('/admin/')).text).toContain(banner);
    const { place, panel } = started;
    await panel.close();
    const reopened = await startPanel(
      new AppConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: '0', SITES_PORT: '0', NODE_ENV: 'production' }),
    );
    try {
      const asked = await reopened.database.repository(Session).count();
      await reopened.app.get(SiteSettings).change({ adminCaptcha: false });
      const refused = await new PanelClient(reopened.url).ajax('admin', { gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
      expect(refused.json).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
      expect(refused.headers.getSetCookie()).toEqual([]);
      expect(await reopened.database.repository(Session).count()).toBe(asked);
    } finally {
      await reopened.close();
    }
    started.panel = await startPanel(place.config);
    const again = await new PanelClient(started.panel.url).login('admin', 'admin', DEFAULT_ADMIN_PASSWORD);
    await again.ajax('admin', { gn: 'gl', yuser: 'admin', ypass: DEFAULT_ADMIN_PASSWORD, xpass: 'changed-secret' });
    const after = await again.send('/admin/');
    expect(after.status).toBe(200);
    expect(after.text).not.toContain(banner);
  });

  it('cannot be configured where it is not allowed', () => {
    for (const env of [{ NODE_ENV: 'production' }, { HOST: '0.0.0.0' }, { BASE_URL: 'https://panel.example' }]) {
      expect(() => new AppConfig({ ...env, ADMIN_PASSWORD: DEFAULT_ADMIN_PASSWORD })).toThrow(/ADMIN_PASSWORD/);
      expect(() => new AppConfig({ ...env, CAPTCHA: 'off' })).toThrow(/CAPTCHA/);
      expect(() => new AppConfig({ ...env, RATE_LIMIT: 'off' })).toThrow(/RATE_LIMIT/);
    }
  });
});
