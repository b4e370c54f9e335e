import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel } from '../../test/support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const rows = async () => (await panel.admin('listadmin')).rows as unknown as Record<string, string>[];
const idOf = async (name: string) => (await rows()).find(({ user }) => user === name)!.id!;
const signIn = (user: string, pass: string) => new PanelClient(panel.url).login('admin', user, pass);

describe('administrators', () => {
  it('are added, sign in, are disabled, enabled and removed, each logged without a password', async () => {
    expect(await panel.admin('addadmin', { js_id: '0', user: 'second', pass: 'secret-of-second' })).toMatchObject({ success: true });
    const second = await signIn('second', 'secret-of-second');
    expect(await rows()).toMatchObject([
      { user: 'admin', me: 'true', kg: 'true' },
      { user: 'second', me: 'false', kg: 'true', hhs: '1' },
    ]);
    const id = await idOf('second');
    expect(await panel.admin('adminxg', { id, kg: 'false' })).toMatchObject({ success: true });
    expect((await second.ajax('admin', { gn: 'listadmin' })).json).toEqual({ code: '请登陆后台' });
    const refused = await new PanelClient(panel.url).ajax('admin', { gn: 'login', user: 'second', pass: 'secret-of-second' });
    expect(refused.json).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    const wrong = await new PanelClient(panel.url).ajax('admin', { gn: 'login', user: 'second', pass: 'wrong-password' });
    expect(wrong.json.msg).not.toEqual(refused.json.msg);
    expect(await panel.admin('adminxg', { id, kg: 'true', pass: 'another-secret', user: 'zweiter' })).toMatchObject({ success: true });
    await signIn('zweiter', 'another-secret');
    expect(await panel.admin('adminsc', { id })).toMatchObject({ success: true });
    expect(await panel.admin('adminsc', { id })).toMatchObject({ err: 'E_NOTEXIST' });
    const log = JSON.stringify(await panel.admin('listlog', { limit: '200' }));
    for (const word of ['添加管理员 second', '删除管理员 zweiter']) expect(log).toContain(word);
    for (const secret of ['secret-of-second', 'another-secret']) expect(log).not.toContain(secret);
  });

  it('cannot change or remove themselves there, and errors are reported by field', async () => {
    const me = await idOf('admin');
    for (const gn of ['adminxg', 'adminsc']) expect(await panel.admin(gn, { id: me, kg: 'false' })).toMatchObject({ err: 'E_STATE' });
    expect((await panel.admin('addadmin', { js_id: '0', user: 'x', pass: 'long enough' })).fields).toHaveProperty('user');
    expect((await panel.admin('addadmin', { js_id: '0', user: 'fine', pass: 'short' })).fields).toHaveProperty('pass');
    expect((await panel.admin('addadmin', { js_id: '0', user: 'ADMIN', pass: 'long enough' })).fields).toHaveProperty('user');
  });

  it('who remove each other concurrently leave one who may sign in', async () => {
    await panel.admin('addadmin', { js_id: '0', user: 'rival', pass: 'secret-of-rival' });
    const rival = await signIn('rival', 'secret-of-rival');
    const [me, other] = [await idOf('admin'), await idOf('rival')];
    await Promise.all([panel.admin('adminsc', { id: other }), rival.ajax('admin', { gn: 'adminsc', id: me })]);
    const left = [await rows(), (await rival.ajax('admin', { gn: 'listadmin' })).json.rows as Record<string, string>[] | undefined];
    expect(left.filter((list) => Array.isArray(list) && list.length === 1)).toHaveLength(1);
  });
});
