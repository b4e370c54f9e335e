/** Public pages of bundled plugins: their frame, and where a payment leads. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  for (const slug of ['accounts', 'sandbox', 'hosting_shop', 'domain_shop', 'resource_pool']) await panel.enable(slug);
});
afterAll(() => panel?.close());

const PAGES = ['/shop', '/domain', '/account/login', '/pool/login'];
const read = async (path: string, language = 'en'): Promise<string> =>
  (await panel.fetch(path, { headers: { 'Accept-Language': language } })).text();

const pathOf = (address: unknown): string => {
  const { pathname, search } = new URL(String(address), panel.url);
  return pathname + search;
};

/** Submits an administrator's form with a picture. */
async function upload(fields: Readonly<Record<string, string>>, file: string, picture: Buffer): Promise<Record<string, unknown>> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append(file, new Blob([new Uint8Array(picture)]), 'picture.png');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as Record<string, unknown>;
}

it('show logo and icon of the site if set', async () => {
  for (const path of PAGES) expect(await read(path), path).not.toMatch(/rel="icon"|class="logo"/);
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  expect(await upload({ gn: 'setkzmb' }, 'loa', picture)).toMatchObject({ qk: 1 });
  const icon = (await upload({ gn: 'home_upload_icon', target: 'favicon' }, 'icon', picture)) as { data: { url: string } };
  const [, logo] = /class="brand-logo" src="([^"]+)"/.exec(await read('/user/login'))!;
  for (const path of PAGES) {
    const html = await read(path);
    expect(html, path).toContain(`<link rel="icon" href="${icon.data.url}">`);
    expect(html, path).toMatch(new RegExp(`<header><a href="/[^"]*"><img class="logo" src="${logo}" alt="">`));
  }
});

it('a received payment continues with a button that says where it leads', async () => {
  const { data } = (await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN)) as unknown as { data: { id: number } };
  const fields = { plan_id: String(data.id), period: 'month', username: 'led-onwards', password: 'a-password-of-my-own' };
  const visitor = new DemoVisitor(panel.url);
  const order = await visitor.json('POST', '/shop/api/create_order', fields);
  const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
  await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
  for (const [language, words] of [
    ['en', 'View the order'],
    ['zh-CN', '查看订单'],
  ] as const) {
    const html = await read(pathOf(order.pay_url), language);
    expect(html).toMatch(new RegExp(`href="${pathOf(order.status_url)}"[^>]*>\\s*${words}\\s*</a>`));
  }
});
