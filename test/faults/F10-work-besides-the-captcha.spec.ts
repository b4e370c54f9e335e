import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { StoreClient } from '../support/store.js';

const BITS = 8;

/** Whether a proof of work is valid for a picture. */
function fits(svg: string, work: string): boolean {
  const [, bits, challenge] = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg)!;
  expect(Number(bits)).toBe(BITS);
  const hash = createHash('sha256').update(`${challenge}:${work}`).digest();
  return hash.readUInt32BE(0) >>> (32 - BITS) === 0;
}

/** The work browsers do for a picture. @param not a picture for which it must be invalid */
function workOf(svg: string, not?: string): string {
  for (let work = 0; ; work += 1) {
    const text = work.toString(36);
    if (fits(svg, text) && !(not && fits(not, text))) return text;
  }
}

describe('F10 proof of work with the captcha', () => {
  let place: TestPlace;
  let panel: Panel;
  beforeAll(async () => {
    place = await createMigratedPlace({ CAPTCHA: 'fixed:abcd', CAPTCHA_WORK: String(BITS) });
    panel = await startPanel(place.config);
  });
  afterAll(async () => {
    await panel.close();
    await place.dispose();
  });

  async function panelCaptcha(side = 'admin'): Promise<{ svg: string; cookie: string }> {
    const response = await fetch(`${panel.url}/${side}/code.php`);
    return { svg: await response.text(), cookie: response.headers.getSetCookie()[0]!.split(';')[0]! };
  }

  async function admin(cookie: string, gn: string, fields: Record<string, string>): Promise<{ success: boolean; cookies: string[] }> {
    const body = new URLSearchParams({ gn, ...fields });
    const response = await fetch(`${panel.url}/admin/ajax.php`, { method: 'POST', headers: { cookie }, body });
    const { success } = (await response.json()) as { success: boolean };
    return { success, cookies: response.headers.getSetCookie().map((line) => line.split(';')[0]!) };
  }

  const signIn = async (cookie: string, code: string): Promise<boolean> =>
    (await admin(cookie, 'login', { user: 'admin', pass: DEFAULT_ADMIN_PASSWORD, code })).success;

  it('is required by the panel, done once per picture, and refused when it is missing or for another one', async () => {
    const first = await panelCaptcha();
    expect(await signIn(first.cookie, 'abcd')).toBe(false);
    const second = await panelCaptcha();
    expect(await signIn(second.cookie, `abcd.${workOf(first.svg, second.svg)}`)).toBe(false);
    const third = await panelCaptcha();
    const code = `ABCD.${workOf(third.svg)}`;
    expect(await signIn(third.cookie, code)).toBe(true);
    expect(await signIn(third.cookie, code)).toBe(false);
  });

  it('is required of sub-resellers with the captcha, as long as it is of users', async () => {
    const { svg, cookie } = await panelCaptcha();
    const login = { user: 'admin', pass: DEFAULT_ADMIN_PASSWORD, code: `abcd.${workOf(svg)}` };
    const signedIn = (await admin(cookie, 'login', login)).cookies.join('; ');
    const manage = async (gn: string, fields: Record<string, string>): Promise<void> =>
      expect(await admin(signedIn, gn, fields), gn).toMatchObject({ success: true });
    const dealer = { username: 'dealer', password: 'dealer-pass-1' };
    await manage('plugin_enable', { slug: 'resource_pool', enabled: 'true' });
    await manage('p_respool_save', { ...dealer, name: 'North' });
    const form = async (): Promise<string> => (await fetch(`${panel.url}/pool/login`)).text();
    const enter = async (captcha?: string, visit = ''): Promise<{ status: number; text: string }> => {
      const body = new URLSearchParams({ ...dealer, ...(captcha !== undefined && { captcha }) });
      const headers = { cookie: visit, 'Accept-Language': 'en' };
      const response = await fetch(`${panel.url}/pool/login`, { method: 'POST', headers, body, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    };
    expect(await form()).toContain('name="captcha"');
    // Beyond the limit of wrong passwords: none of them counted as an attempt.
    for (let turn = 0; turn < 11; turn += 1) expect(await enter()).toMatchObject({ status: 422 });
    expect((await enter()).text).toContain('The captcha is wrong or has expired');
    const picture = await panelCaptcha('user');
    expect((await enter('abcd', picture.cookie)).status).toBe(422);
    const next = await panelCaptcha('user');
    const captcha = `ABCD.${workOf(next.svg)}`;
    expect((await enter(captcha, next.cookie)).status).toBe(303);
    expect((await enter(captcha, next.cookie)).status).toBe(422);
    await manage('setkzmb', { yzm: 'false', kg: 'true' });
    expect(await form()).not.toContain('name="captcha"');
    expect((await enter()).status).toBe(303);
  });

  it('is required by the store', async () => {
    const author = new StoreClient(panel.url);
    const svg = await (await author.send('GET', '/auth/captcha')).text();
    expect((await author.register('worker', 'secret-1', 'abcd')).status).toBe(400);
    const next = await (await author.send('GET', '/auth/captcha')).text();
    expect(next).not.toBe(svg);
    expect((await author.register('worker', 'secret-1', `abcd.${workOf(next)}`)).code).toBe(0);
  });
});
