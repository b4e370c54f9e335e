import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { StoreClient } from '../support/store.js';

const BITS = 8;

/** Whether a work is what a picture asks for. */
function fits(svg: string, work: string): boolean {
  const [, bits, challenge] = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg)!;
  expect(Number(bits)).toBe(BITS);
  const hash = createHash('sha256').update(`${challenge}:${work}`).digest();
  return hash.readUInt32BE(0) >>> (32 - BITS) === 0;
}

/** What browsers do with a picture: the work it asks for. @param not a picture it must not be right for */
function workOf(svg: string, not?: string): string {
  for (let work = 0; ; work += 1) {
    const text = work.toString(36);
    if (fits(svg, text) && !(not && fits(not, text))) return text;
  }
}

describe('F10 work besides the captcha', () => {
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

  async function panelCaptcha(): Promise<{ svg: string; cookie: string }> {
    const response = await fetch(`${panel.url}/admin/code.php`);
    return { svg: await response.text(), cookie: response.headers.getSetCookie()[0]!.split(';')[0]! };
  }

  async function signIn(cookie: string, code: string): Promise<boolean> {
    const body = new URLSearchParams({ gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD, code });
    const response = await fetch(`${panel.url}/admin/ajax.php`, { method: 'POST', headers: { cookie }, body });
    return ((await response.json()) as { success: boolean }).success;
  }

  it('is asked by the panel, done once for one picture, and refused where it is missing or of another one', async () => {
    const first = await panelCaptcha();
    expect(await signIn(first.cookie, 'abcd')).toBe(false);
    const second = await panelCaptcha();
    expect(await signIn(second.cookie, `abcd.${workOf(first.svg, second.svg)}`)).toBe(false);
    const third = await panelCaptcha();
    const code = `ABCD.${workOf(third.svg)}`;
    expect(await signIn(third.cookie, code)).toBe(true);
    expect(await signIn(third.cookie, code)).toBe(false);
  });

  it('is asked by the store', async () => {
    const author = new StoreClient(panel.url);
    const svg = await (await author.send('GET', '/auth/captcha')).text();
    expect((await author.register('worker', 'secret-1', 'abcd')).status).toBe(400);
    const next = await (await author.send('GET', '/auth/captcha')).text();
    expect(next).not.toBe(svg);
    expect((await author.register('worker', 'secret-1', `abcd.${workOf(next)}`)).code).toBe(0);
  });
});
