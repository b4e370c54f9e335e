import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Orders, payPagePath, type Order } from '../../src/payment/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const gateway = (slug: string): string =>
  functionPlugin(`svc.svc_register_payment('${slug}', { name: 'Gate ${slug}', methods: { card: 'Card of ${slug}',
    qr: 'QR of ${slug}' }, build: () => 'https://pay.example/' });
    svc.svc_register_route('GET', '/methods-of-${slug}', async () => ({ methods: await svc.svc_get_enabled_payment_methods() }));`);

describe('P14 payment methods', () => {
  let panel: TestPanel;
  let order: Order;
  beforeAll(async () => {
    panel = await TestPanel.start();
    for (const slug of ['gatea', 'gateb', 'gatec']) writePlugin(panel.dataDir, slug, gateway(slug));
    order = await panel.get(Orders).create({ user: 'buyer', scene: 's', name: 'n', amount: 100 });
  });
  afterAll(() => panel.close());

  const payPage = async (): Promise<string> => (await panel.fetch(payPagePath(order))).text();
  const settingsPage = async (): Promise<string> => (await panel.adminFetch('/admin/settings?tab=payments')).text();
  const save = (methods: object[]): Promise<unknown> => panel.admin('setpaymethods', { methods: JSON.stringify(methods) });

  it('of a gateway that is enabled for the first time are offered immediately, and the response says so', async () => {
    await panel.admin('plugin_install', { slug: 'gatea' });
    const answer = await panel.tryEnable('gatea');
    expect(answer).toMatchObject({ success: true, data: { methods: ['gatea__card', 'gatea__qr'], url: '/admin/settings?tab=payments' } });
    expect(answer.code).toContain('Card of gatea');
    expect(await payPage()).toContain('Card of gatea');
  });

  it("of one with its own texts are named only in the administrator's language", async () => {
    await panel.admin('plugin_install', { slug: 'balance' });
    const { code } = await panel.tryEnable('balance');
    expect(code).toContain('余额');
    expect(code).not.toContain('Balance');
    await panel.disable('balance');
  });

  it('that were disabled stay disabled, and the plugin list says that the gateway is not offered', async () => {
    await save([]);
    await panel.disable('gatea');
    const answer = await panel.tryEnable('gatea');
    expect(answer.data?.methods).toBeUndefined();
    expect(await payPage()).not.toContain('Card of gatea');
    const plugins = await (await panel.adminFetch('/admin/plugins')).text();
    expect(plugins).toContain('banner-gateway-gatea');
    expect(plugins).toContain('/admin/settings?tab=payments');
    await save([{ plugin: 'gatea', method: 'card', display_name: 'By card', sort: 1 }]);
    expect(await (await panel.adminFetch('/admin/plugins')).text()).not.toContain('banner-gateway-gatea');
  });

  it('of a disabled gateway are never offered, and the settings page says why and keeps them', async () => {
    await panel.enable('gateb');
    await panel.disable('gatea');
    expect(await payPage()).not.toContain('By card');
    const { methods } = (await (await panel.fetch('/methods-of-gateb')).json()) as { methods: { plugin: string }[] };
    expect(new Set(methods.map(({ plugin }) => plugin))).toEqual(new Set(['gateb']));
    const page = await settingsPage();
    expect(page).toContain('gatea__card');
    expect(page).toContain('接口已停用');
    await panel.tryEnable('gatea');
    expect(await payPage()).toContain('By card');
    expect(await settingsPage()).not.toContain('接口已停用');
  });

  it('of an uninstalled gateway are dropped; installed again it is a new one', async () => {
    await panel.disable('gateb');
    await panel.admin('plugin_uninstall', { slug: 'gateb' });
    const rows = (await panel.admin('listzffs')).rows as unknown as { plugin: string }[];
    expect(rows.filter(({ plugin }) => plugin === 'gateb')).toEqual([]);
    await panel.enable('gateb');
    expect(await payPage()).toContain('Card of gateb');
  });

  it('are kept when a plugin saves while their gateway is disabled', async () => {
    await panel.disable('gatea');
    writePlugin(
      panel.dataDir,
      'saver',
      functionPlugin(
        "svc.svc_register_route('GET', '/save-methods', async () => ({ saved: await " +
          'svc.svc_save_payment_methods(await svc.svc_get_enabled_payment_methods()) }));',
      ),
    );
    await panel.enable('saver');
    const { saved } = (await (await panel.fetch('/save-methods')).json()) as { saved: { plugin: string }[] };
    expect(saved.map(({ plugin }) => plugin)).toContain('gatea');
    await panel.tryEnable('gatea');
    expect(await payPage()).toContain('By card');
  });

  it('disappear for buyers with the folder of their plugin', async () => {
    await panel.enable('gatec');
    await panel.disable('gatec');
    rmSync(join(panel.dataDir, 'plugins', 'gatec'), { recursive: true });
    expect(await payPage()).not.toContain('gatec');
    expect(await settingsPage()).toContain('gatec__card');
  });
});
