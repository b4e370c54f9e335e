import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { FailedSignIn, FailedSignIns, KnownDevice, RateLimit, SignInDelay } from '../../src/auth/index.js';
import { startPanel, type Panel } from '../support/start-panel.js';
import { HostingService } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { runJob } from '../support/run-job.js';

const PASSWORD = 'admin-secret-1';
const USER_PASSWORD = 'secret-pass-1';

let place: TestPlace;
let panel: Panel;
let waited: number[];
beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'fixed:abcd', TRUST_PROXY: '127.0.0.1', ADMIN_PASSWORD: PASSWORD });
  panel = await startPanel(place.config);
  await panel.app.get(HostingService).provision({ node: 'local', user: 'victim01', password: USER_PASSWORD, expiresOn: null }, 'admin');
  // Delays are not waited for, only recorded.
  vi.spyOn(panel.app.get(SignInDelay), 'wait').mockImplementation(async (seconds) => void (seconds > 0 && waited.push(seconds)));
});
beforeEach(() => {
  waited = [];
});
afterEach(async () => {
  for (const entity of [RateLimit, FailedSignIn, KnownDevice]) await panel.database.repository(entity).clear();
});
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

/** A browser with its own address. */
class Browser extends PanelClient {
  constructor(readonly address: string) {
    super(panel.url);
  }

  from(fields: Record<string, string>, side: 'admin' | 'user' = 'user'): Promise<PanelAnswer> {
    return this.ajax(side, fields, { 'x-forwarded-for': this.address });
  }

  /** With its own captcha, answered correctly. */
  async signIn(user: string, pass: string, side: 'admin' | 'user' = 'user'): Promise<PanelAnswer> {
    await this.from({ gn: 'yzm' }, side);
    return this.from({ gn: 'login', user, pass, code: 'abcd' }, side);
  }

  async page(path: string): Promise<string> {
    return (await this.send(path, { headers: { 'x-forwarded-for': this.address, 'accept-language': 'en' } })).text;
  }
}

describe('F2 lock-out of others', () => {
  it.each([
    ['user', 'victim01', USER_PASSWORD],
    ['admin', 'admin', PASSWORD],
  ] as const)('attempts without the right captcha do not count on the %s side, and are not logged', async (side, name, password) => {
    const stranger = new Browser('203.0.113.1');
    const lines = await panel.database.repository(OperationLog).count();
    for (let i = 0; i < 40; i += 1)
      expect((await stranger.from({ gn: 'login', user: name, pass: 'guess', code: i % 2 ? 'zzzz' : '' }, side)).status).toBe(200);
    expect(await panel.database.repository(OperationLog).count()).toBe(lines);
    expect(await panel.database.repository(RateLimit).createQueryBuilder('r').where("r.key LIKE 'login:%'").getCount()).toBe(0);
    for (const address of ['198.51.100.1', '203.0.113.1'])
      expect((await new Browser(address).signIn(name, password, side)).json).toMatchObject({ success: true });
  });

  it('a stranger locks out only his own network', async () => {
    const stranger = new Browser('203.0.113.1');
    const answers: number[] = [];
    for (let i = 0; i < 12; i += 1) answers.push((await stranger.signIn('victim01', `guess${i}`)).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    expect((await new Browser('198.51.100.1').signIn('victim01', USER_PASSWORD)).json).toMatchObject({ success: true });
    // A single network does not delay the owner's response by more than the first second.
    expect(waited.every((seconds) => seconds <= 1)).toBe(true);
    expect((await stranger.signIn('victim01', USER_PASSWORD)).status).toBe(429);
  });

  it('many strangers only delay responses, increasingly up to 15 seconds', async () => {
    for (let i = 0; i < 20; i += 1) expect((await new Browser(`203.0.113.${i}`).signIn('VICTIM01', 'guess')).status).toBe(200);
    expect(waited).toEqual([1, 2, 4, 8, 15, 15, 15, 15, 15, 15]);
    expect((await new Browser('198.51.100.1').signIn('victim01', USER_PASSWORD)).json).toMatchObject({ success: true });
  });

  it('one network cannot try many accounts', async () => {
    const stranger = new Browser('203.0.113.9');
    const answers: number[] = [];
    for (let i = 0; i < 33; i += 1) answers.push((await stranger.signIn(`nobody${i}`, 'guess')).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(30);
    // Rejected attempts leave no row for the name.
    expect(await panel.database.repository(RateLimit).createQueryBuilder('r').where("r.key LIKE '%nobody3_'").getCount()).toBe(0);
  });

  describe('a device that signed in before', () => {
    it('is not locked out by strangers in its own network, and is counted separately', async () => {
      const owner = new Browser('203.0.113.1');
      const first = await owner.signIn('victim01', USER_PASSWORD);
      expect(first.headers.getSetCookie().find((line) => line.startsWith('user_device='))).toMatch(
        /^user_device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      const stranger = new Browser('203.0.113.1');
      for (let i = 0; i < 12; i += 1) await stranger.signIn('victim01', 'guess');
      for (let i = 0; i < 20; i += 1) await new Browser(`192.0.2.${i}`).signIn('victim01', 'guess');
      waited = [];
      expect((await owner.signIn('victim01', 'slip')).json).toMatchObject({ success: false });
      expect((await owner.signIn('victim01', USER_PASSWORD)).json).toMatchObject({ success: true });
      expect(waited).toEqual([]);
      // It does not allow unlimited guessing either.
      const answers: number[] = [];
      for (let i = 0; i < 11; i += 1) answers.push((await owner.signIn('victim01', 'guess')).status);
      expect(answers.at(-1)).toBe(429);
    });

    it('gets a new token after each sign-in, for its own account only, and only its hash is stored', async () => {
      await panel.app.get(HostingService).provision({ node: 'local', user: 'other001', password: USER_PASSWORD, expiresOn: null }, 'admin');
      const owner = new Browser('203.0.113.1');
      await owner.signIn('victim01', USER_PASSWORD);
      const old = owner.cookies.get('user_device')!;
      expect(JSON.stringify(await panel.database.repository(KnownDevice).find())).not.toContain(old);
      await owner.signIn('victim01', USER_PASSWORD);
      expect(owner.cookies.get('user_device')).not.toBe(old);
      expect(await panel.database.repository(KnownDevice).count()).toBe(1);
      // Neither the old token nor one of another account is accepted.
      const stranger = new Browser('203.0.113.2');
      for (let i = 0; i < 10; i += 1) await stranger.signIn('other001', 'guess');
      stranger.cookies.set('user_device', owner.cookies.get('user_device')!);
      expect((await stranger.signIn('other001', 'guess')).status).toBe(429);
      // A browser may be known to several accounts.
      await owner.signIn('other001', USER_PASSWORD);
      expect(await panel.database.repository(KnownDevice).count()).toBe(2);
      expect(new Set((await panel.database.repository(KnownDevice).find()).map(({ tokenHash }) => tokenHash)).size).toBe(1);
    });

    it('is forgotten when the password changes, and when its owner signs out everywhere else', async () => {
      const [here, there] = [new Browser('203.0.113.1'), new Browser('203.0.113.2')];
      for (const browser of [here, there]) await browser.signIn('victim01', USER_PASSWORD);
      await here.from({ gn: 'hhsc', id: 'all' });
      expect(await panel.database.repository(KnownDevice).count()).toBe(1);
      await there.signIn('victim01', USER_PASSWORD);
      expect(await panel.database.repository(KnownDevice).count()).toBe(2);
      const changed = await here.from({ gn: 'xgpass', yp: USER_PASSWORD, pass: 'secret-pass-2' });
      expect(changed.json).toMatchObject({ success: true });
      expect(changed.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['user_token', 'user_device']);
      expect(await panel.database.repository(KnownDevice).count()).toBe(1);
      expect((await here.from({ gn: 'xgpass', yp: 'secret-pass-2', pass: USER_PASSWORD })).json).toMatchObject({ success: true });
    });

    it('is limited to twenty per account', async () => {
      for (let i = 0; i < 22; i += 1) await new Browser(`203.0.113.${i}`).signIn('victim01', USER_PASSWORD);
      expect(await panel.database.repository(KnownDevice).count()).toBe(20);
    });
  });

  it('the owner is informed on the next page, until he has seen it', async () => {
    for (const address of ['203.0.113.1', '203.0.113.1', '192.0.2.5']) await new Browser(address).signIn('victim01', 'guess');
    const owner = new Browser('198.51.100.1');
    await owner.signIn('victim01', USER_PASSWORD);
    for (const path of ['/user/', '/user/orders']) {
      const html = await owner.page(path);
      expect(html).toContain('id="banner-failed-sign-ins"');
      expect(html).toMatch(/3 failed sign-ins to your account from 2 networks since \d{4}-\d\d-\d\d/);
      expect(html).toContain('href="/user/sessions"');
    }
    const list = await owner.page('/user/sessions');
    expect(list).toContain('<code>203.0.113.1</code>');
    expect(list).not.toContain('banner-failed-sign-ins');
    expect(await owner.page('/user/')).not.toContain('banner-failed-sign-ins');
    // The next attempt is announced again, counted from one.
    await new Browser('203.0.113.1').signIn('victim01', 'guess');
    expect(await owner.page('/user/')).toContain('1 failed sign-in to your account from 1 network');
    // Nobody else is informed.
    const admin = new Browser('198.51.100.2');
    await admin.signIn('admin', PASSWORD, 'admin');
    expect(await admin.page('/admin/')).not.toContain('banner-failed-sign-ins');
    await new Browser('203.0.113.1').signIn('admin', 'guess', 'admin');
    expect(await admin.page('/admin/')).toContain('banner-failed-sign-ins');
    expect(await admin.page('/admin/sessions')).toContain('id="failed-sign-ins"');
  });

  it('an unknown name gets the same response with the same delay, and nothing is stored about it', async () => {
    const [known, unknown] = [[] as string[], [] as string[]];
    for (let i = 0; i < 13; i += 1) known.push((await new Browser(`203.0.113.${i}`).signIn('victim01', 'guess')).text);
    const delays = waited;
    waited = [];
    for (let i = 0; i < 13; i += 1) unknown.push((await new Browser(`203.0.113.${i}`).signIn('nobody01', 'guess')).text);
    expect(unknown).toEqual(known);
    expect(waited).toEqual(delays);
    expect(await panel.database.repository(FailedSignIn).find()).toHaveLength(13);
  });

  it('data caused by strangers is limited, and removed later', async () => {
    const rows = panel.database.repository(FailedSignIn);
    const old = new Date(Date.now() - 91 * 86_400_000);
    await rows.insert(
      Array.from({ length: 200 }, (_, n) => ({
        side: 'user' as const,
        accountId: 4_711,
        network: `net${n}`,
        failures: 1,
        seen: false,
        firstAt: old,
        lastAt: old,
      })),
    );
    const failures = panel.app.get(FailedSignIns);
    for (const ip of ['203.0.113.1', '203.0.113.2']) await failures.note('user', 4_711, ip);
    expect(await rows.findBy({ accountId: 4_711, network: '' })).toMatchObject([{ failures: 2 }]);
    await panel.database.repository(RateLimit).insert({ key: 'login:user:account:gone', count: 3, resetsAt: old });
    for (const name of ['failed-sign-ins', 'rate-windows']) await runJob(panel.app.get(JobRegistry), name);
    expect(await rows.countBy({ accountId: 4_711 })).toBe(1);
    expect(await panel.database.repository(RateLimit).countBy({ key: 'login:user:account:gone' })).toBe(0);
  });
});
