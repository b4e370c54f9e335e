import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { functionPlugin, writePlugin } from '../../test/support/plugins.js';
import { TestPanel, type AjaxAnswer } from '../../test/support/panel.js';

let panel: TestPanel;
let cookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  cookie = await panel.signInUser('owner01');
});
afterAll(() => panel?.close());

const user = async (gn: string): Promise<AjaxAnswer> =>
  (await (
    await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }), headers: { Cookie: cookie } })
  ).json()) as AjaxAnswer;

describe('operations for older programs', () => {
  it('return the signed-in account, on both sides', async () => {
    expect((await panel.admin('wdxx')).data).toEqual({
      id: 1,
      user: 'admin',
      qx: ['*'],
      nodes: null,
      f2: false,
      email: '',
      yy: '',
      unread: 0,
      csrf: '',
    });
    await panel.admin('tzfs', { to: 'user[]', user: 'owner01', level: 'info', title: 'Hello', content: 'There' });
    const { data } = await user('wdxx');
    expect(data).toMatchObject({ user: 'owner01', f2: false });
    expect(data).not.toHaveProperty('qx');
  });

  it('return figures and system information', async () => {
    const { data } = await panel.admin('tjsy', { days: '7' });
    expect(data).toMatchObject({ hosts: 1, hosts_active: 1, income: '0.00', chart: expect.any(Array) });
    expect(data.chart).toHaveLength(7);
    expect(data.business).toMatchObject({ income: '0.00', refunded: '0.00', hosts_new: 1, hosts_ended: 0, orders_open: 0, sold: [] });
    // What the numbers lead to.
    const listed = async (filter: Record<string, string>) => (await panel.admin('listzj', filter)).rows.length;
    expect([await listed({ kt_days: '7' }), await listed({ dq_days: '-7' }), await listed({ dq_days: '-1' })]).toEqual([1, 0, 0]);
    for (const tk of ['pending', '']) expect((await panel.admin('listdd', { tk })).rows).toEqual([]);
    expect(await panel.admin('listdd', { tk: 'other' })).toMatchObject({ err: 'E_ARGS' });
    for (const days of ['0', '367', '-1', 'x']) expect(await panel.admin('tjsy', { days })).toMatchObject({ err: 'E_ARGS' });
    const system = (await panel.admin('system_info')).data;
    expect(system).toMatchObject({ hosts: 1, disk_total: expect.any(Number), web_version: expect.any(String) });
    expect(JSON.stringify(system)).not.toContain(panel.dataDir);
  });

  it('renew the API key under either name, but only with the password', async () => {
    expect(await panel.admin('apicz', { ypass: 'wrong' })).toMatchObject({ err: 'E_ARGS', fields: { ypass: expect.any(String) } });
    const first = (await panel.admin('apicz', { ypass: 'svc-panel-admin' })).data.apikey;
    expect((await panel.admin('apimyck', { ypass: 'svc-panel-admin' })).data.apikey).toBe(first);
  });

  it("read a plugin's settings in the written format, and never a password", async () => {
    writePlugin(
      panel.dataDir,
      'greeter',
      functionPlugin(
        `svc.svc_register_settings_tab('admin', { title: 'Greeter', fields: [{ key: 'word', label: ` +
          `'Word', type: 'text' }, { key: 'token', label: 'Token', type: 'password' }] });`,
      ),
    );
    await panel.enable('greeter');
    expect(await panel.admin('szbc', { z: 'greeter', word: 'hi', token: 'top-secret-1' })).toMatchObject({ success: true });
    const answer = await panel.admin('szsj', { z: 'greeter' });
    expect(answer.data).toMatchObject({ sz: { word: 'hi' }, mm: { token: true } });
    expect(JSON.stringify(answer)).not.toContain('top-secret-1');
    const { row_version } = answer.data as { row_version: string };
    expect(await panel.admin('szbc', { slug: 'greeter', word: 'hello', row_version })).toMatchObject({ success: true });
    expect(await panel.admin('szbc', { slug: 'greeter', word: 'late', row_version })).toMatchObject({ success: false });
    for (const fields of [{}, { z: 'nobody' }] as Record<string, string>[])
      expect(await panel.admin('szsj', fields)).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await panel.admin('szsj', { z: '../x' })).toMatchObject({ err: 'E_ARGS' });
  });

  it('reject replacing the running panel, with instructions', async () => {
    expect(await panel.admin('update')).toMatchObject({ success: false, err: 'E_DISABLED', code: expect.stringContaining('svc backup') });
  });
});
