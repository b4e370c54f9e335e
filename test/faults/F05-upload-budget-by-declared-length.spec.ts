import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { BodyAdmission } from '../../src/http/index.js';
import { TestPanel } from '../support/panel.js';
import { StalledClients } from '../support/stalled-clients.js';

const MEBIBYTE = 1024 * 1024;
const SLOWLY = { timeout: 10_000 };
const START = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };

let panel: TestPanel;
let [greedy, other] = ['', ''];
let open: StalledClients[] = [];
beforeAll(async () => {
  panel = await TestPanel.start({ TRUST_PROXY: '127.0.0.1' });
  [greedy, other] = [await panel.signInUser('owner01'), await panel.signInUser('owner02')];
});
afterEach(async () => {
  for (const clients of open) clients.close();
  open = [];
  const { budget } = panel.get(BodyAdmission);
  await expect.poll(() => budget.taken('stranger') + budget.taken('account'), SLOWLY).toBe(0);
});
afterAll(() => panel.close());

/** Clients that each declare files of this many MiB, send this many, and nothing more. */
async function stall(count: number, declared: number, sent: number, headers: Record<string, string>): Promise<void> {
  const request = {
    path: '/user/ajax.php',
    headers: { ...multipart, ...headers },
    sent: Buffer.concat([Buffer.from(START), Buffer.alloc(sent * MEBIBYTE)]),
    declared: declared * MEBIBYTE,
  };
  open.push(await StalledClients.open(Number(new URL(panel.url).port), count, request));
}

async function upload(mebibytes: number, headers: Record<string, string>, side: 'admin' | 'user' = 'user'): Promise<Response> {
  const body = new FormData();
  body.append('gn', 'nonsense');
  for (let i = 0; i < mebibytes; i += 10) body.append('f', new File([Buffer.alloc(Math.min(10, mebibytes - i) * MEBIBYTE)], `${i}.bin`));
  return panel.fetch(`/${side}/ajax.php`, { method: 'POST', body, headers });
}
const taken = (kind: 'stranger' | 'account'): number => panel.get(BodyAdmission).budget.taken(kind) / MEBIBYTE;

describe('F5 upload budget by declared length', () => {
  it('lengths declared by strangers take nothing from others', async () => {
    await stall(8, 16, 0, { 'x-forwarded-for': '192.0.2.1' });
    for (const address of ['192.0.2.1', '198.51.100.7']) {
      expect((await upload(4, { 'x-forwarded-for': address })).status).toBe(200);
    }
  });

  it('uploads from one address use only its share, and others continue', async () => {
    await stall(2, 16, 3, { 'x-forwarded-for': '2001:db8:1:2::1' });
    await expect.poll(() => taken('stranger'), SLOWLY).toBeGreaterThan(5.9);
    const refused = await upload(6, { 'x-forwarded-for': '2001:db8:1:2:ffff::9', 'accept-language': 'en' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '20']);
    expect(await refused.json()).toMatchObject({ success: false, qk: 4, err: 'E_BUSY', msg: expect.stringContaining('20 seconds') });
    expect((await upload(6, { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(200);
    // Small requests from there are accepted, too.
    expect(
      (
        await panel.fetch('/user/ajax.php', {
          method: 'POST',
          body: new URLSearchParams({ gn: 'x'.repeat(10_000) }),
          headers: { 'x-forwarded-for': '2001:db8:1:2::1' },
        })
      ).status,
    ).toBe(200);
  });

  it('one customer with 4 × 64 MiB blocks neither another customer nor the administrator', async () => {
    await stall(4, 64, 7, { cookie: greedy });
    await expect.poll(() => taken('account'), SLOWLY).toBeGreaterThan(27);
    expect((await upload(20, { cookie: greedy })).status).toBe(503);
    expect((await upload(20, { cookie: other })).status).toBe(200);
    expect((await upload(60, { cookie: panel.adminCookie }, 'admin')).status).toBe(200);
  });
});
