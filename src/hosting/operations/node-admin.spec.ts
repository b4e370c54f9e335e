import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { FakeDriver } from '../../../test/support/fake-driver.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { ListInput } from '../../operations/index.js';
import type { DriverCapability, DriverResult, PhpVersions } from '../index.js';
import { CallingKeys, DriverNodes, DriverRegistry, HostingNode, HostingService } from '../index.js';

import { NodeServerOperations } from './node-server.operations.js';
import { NodeOperations } from './node.operations.js';
import { AddNodeInput, EditNodeInput, RotateKeysInput } from './node-inputs.js';

class PhpDriver extends FakeDriver implements PhpVersions {
  override readonly type = 'fakephp';
  override readonly basics = new Set<DriverCapability>(['php']);
  answer: DriverResult<string[]> = { outcome: 'ok', value: ['82', '00', '74', '100'] };
  probeAnswer: Awaited<ReturnType<FakeDriver['probe']>> | DriverResult<never> = { outcome: 'ok', value: { version: '1', system: 'fake' } };

  phpVersions(): Promise<DriverResult<string[]>> {
    return Promise.resolve(this.answer);
  }

  override probe(): ReturnType<FakeDriver['probe']> {
    return Promise.resolve(this.probeAnswer) as ReturnType<FakeDriver['probe']>;
  }
}

let hosting: TestHosting;
let nodes: NodeOperations;
let servers: NodeServerOperations;
const php = new PhpDriver();
const ctx = testCall({ ip: '192.0.2.1', admin: { id: 1, username: 'root' } });
const PANEL_KEY = 'planted-panel-key';

beforeAll(async () => {
  hosting = await createTestHosting();
  hosting.app.get(DriverRegistry).register(php);
  nodes = hosting.app.get(NodeOperations, { strict: false });
  servers = hosting.app.get(NodeServerOperations, { strict: false });
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  php.answer = { outcome: 'ok', value: ['82', '00', '74', '100'] };
  php.probeAnswer = { outcome: 'ok', value: { version: '1', system: 'fake' } };
  const added = await rows().find();
  for (const { code, id } of added) if (!['bh1', 'fake1'].includes(code)) await rows().delete({ id });
});

const rows = () => hosting.database.repository(HostingNode);
const idOf = async (code: string) => (await rows().findOneByOrFail({ code })).id;
const panelKeyOf = async (id: number) => hosting.app.get(DriverNodes).openKey((await rows().findOneByOrFail({ id })).sealedPanelKey);
const keyOf = (node: HostingNode) => hosting.app.get(CallingKeys).of(node);
const add = (fields: Partial<AddNodeInput>) => nodes.add(Object.assign(new AddNodeInput(), { bh: 'n1', driver: 'fakephp' }, fields), ctx);
const edit = (id: number, fields: Partial<EditNodeInput>) => nodes.change(Object.assign(new EditNodeInput(), { id }, fields), ctx);
const list = (fields: Partial<ListInput> = {}) => nodes.listNodes(Object.assign(new ListInput(), fields), ctx);

describe('addbt', () => {
  it('adds a node with its own keys', async () => {
    const done = await add({ ip: '192.0.2.1', urlla: 'cname.example', btos: 2, xieyi: true });
    const node = await rows().findOneByOrFail({ code: 'n1' });
    expect(node).toMatchObject({ driver: 'fakephp', address: '192.0.2.1', system: 2, secure: true, enabled: true, previousUntil: null });
    expect(node.openKey).toMatch(/^sealed:1:/);
    expect(node.signatureKey).not.toBe(node.openKey);
    expect(done.extras).toEqual({ id: node.id, btdh: 'n1', dymy: keyOf(node) });
    const host = await hosting.app
      .get(HostingService)
      .provision({ node: 'n1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'admin');
    await hosting.app.get(HostingService).terminate(host.id, 'admin');
  });

  const drivers = (): string => hosting.app.get(DriverRegistry).types().join(', ');

  it('rejects an unknown driver and names the known ones; a panel key without a driver means baota', async () => {
    expect(drivers().split(', ')).toEqual(expect.arrayContaining(['baota', 'embedded', 'fakephp']));
    for (const fields of [{ driver: 'nothing' }, { driver: 'constructor' }]) {
      await expect(add(fields)).rejects.toMatchObject({
        code: 'DRIVER_UNKNOWN',
        params: { driver: fields.driver, drivers: drivers() },
        fields: { driver: expect.any(String) },
      });
    }
    const panelKey = { driver: '', key: PANEL_KEY, kg: false };
    await add(panelKey);
    expect(await rows().findOneByOrFail({ code: 'n1' })).toMatchObject({ driver: 'baota' });
    await expect(add({ bh: 'n2', driver: 'baota' })).rejects.toMatchObject({ code: 'NODE_REFUSED' });
    expect(await rows().count()).toBe(3);
  });

  it('never guesses the kind of a server', async () => {
    for (const fields of [{}, { ip: '192.0.2.1' }, { ip: '127.0.0.1', dk: 8888, kg: false }])
      await expect(add({ driver: '', ...fields })).rejects.toMatchObject({
        code: 'DRIVER_NOT_NAMED',
        params: { drivers: drivers() },
        fields: { driver: expect.any(String) },
      });
    expect(await rows().count()).toBe(2);
  });

  it('adds this machine once despite concurrent requests', async () => {
    const embedded = () => Promise.allSettled(['n1', 'n2', 'n3'].map((bh) => add({ bh, driver: 'embedded' })));
    const named = { status: 'rejected', reason: expect.objectContaining({ code: 'DRIVER_SINGLE', params: { code: 'bh1' } }) };
    expect(await embedded()).toEqual([named, named, named]);
    await rows().update({ code: 'bh1' }, { driver: 'fakephp' });
    try {
      expect((await embedded()).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await rows().findBy({ driver: 'embedded' })).toMatchObject([{ address: '127.0.0.1' }]);
    } finally {
      await rows().delete({ driver: 'embedded' });
      await rows().update({ code: 'bh1' }, { driver: 'embedded' });
    }
  });

  it('adds a server that answers, or a disabled one without asking it', async () => {
    php.probeAnswer = { outcome: 'refused', message: 'wrong key' };
    await expect(add({})).rejects.toMatchObject({ code: 'NODE_REFUSED', params: { text: 'wrong key' } });
    php.probeAnswer = { outcome: 'unreachable', message: 'no route' };
    await expect(add({})).rejects.toMatchObject({ code: 'UNREACHABLE', params: { reason: 'no route' } });
    php.probeAnswer = { outcome: 'unknown', message: 'time is up' };
    await expect(add({})).rejects.toMatchObject({ code: 'NO_ANSWER', params: { code: 'n1' } });
    expect(await rows().count()).toBe(2);
    await add({ kg: false });
    expect(await rows().findOneByOrFail({ code: 'n1' })).toMatchObject({ enabled: false });
  });

  it('rejects a taken code despite concurrent requests', async () => {
    const results = await Promise.allSettled([1, 2, 3].map(() => add({})));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(add({ bh: 'bh1' })).rejects.toMatchObject({
      code: 'NODE_EXISTS',
      params: { code: 'bh1' },
      fields: { bh: expect.any(String) },
    });
  });

  it('rejects a code that differs only in case, and names the existing one', async () => {
    await expect(add({ bh: 'BH1' })).rejects.toMatchObject({ code: 'NODE_EXISTS', params: { code: 'bh1' } });
    const results = await Promise.allSettled(['Case-1', 'case-1', 'CASE-1'].map((bh) => add({ bh })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [node] = await rows().findBy({ codeKey: 'case-1' });
    await expect(add({ bh: 'cASE-1' })).rejects.toMatchObject({ params: { code: node!.code } });
    // Callers give the code as it was given.
    expect(['Case-1', 'case-1', 'CASE-1']).toContain(node!.code);
  });
});

describe('btsj and xgjl', () => {
  it('never return the panel key, and keep it if the form has none', async () => {
    await add({ driver: 'fakephp', key: PANEL_KEY, ip: '192.0.2.1', dk: 8888, ftpdz: 'ftp.example' });
    const id = await idOf('n1');
    const read = await nodes.read({ id });
    expect(read.body).toMatchObject({
      code: '1',
      ip: '192.0.2.1',
      dk: '8888',
      my: '',
      mysz: 'true',
      kg: 'true',
      btos: '1',
      bh: 'n1',
      ftpdz: 'ftp.example',
      xieyi: 'false',
    });
    const changed = await edit(id, { key: '', ip: '192.0.2.2', kg: false });
    expect(await panelKeyOf(id)).toBe(PANEL_KEY);
    expect(await rows().findOneByOrFail({ id })).toMatchObject({
      address: '192.0.2.2',
      port: 8888,
      enabled: false,
      ftpAddress: 'ftp.example',
    });
    await edit(id, { key: 'planted-second-key', ftpdz: '' });
    expect(await panelKeyOf(id)).toBe('planted-second-key');
    expect(await rows().findOneByOrFail({ id })).toMatchObject({ ftpAddress: '', address: '192.0.2.2' });
    const { openKey, signatureKey } = await rows().findOneByOrFail({ id });
    const heard = JSON.stringify([read, changed, await list(), await nodes.read({ id })]);
    for (const secret of ['planted-', openKey, signatureKey]) expect(heard).not.toContain(secret);
  });

  it('are rejected for an unknown node', async () => {
    for (const work of [
      () => nodes.read({ id: 999 }),
      () => edit(999, { ip: 'x' }),
      () => edit(999, {}),
      () => nodes.remove({ id: 999 }),
      () => nodes.endOverlap({ id: 999 }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'NODE_MISSING' });
    }
  });
});

describe('listbt', () => {
  it('counts hosts, sorts only by known columns and searches', async () => {
    await add({ bh: 'zz9', ip: '192.0.2.77' });
    const host = await hosting.app
      .get(HostingService)
      .provision({ node: 'bh1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'admin');
    const found = async (fields: Partial<ListInput>) => (await list(fields)).rows.map((row) => row.btdh);
    expect((await list()).rows.find((row) => row.btdh === 'bh1')).toMatchObject({
      zjs: '1',
      driver: 'embedded',
      ftpdz: '',
      mrbts_php: '',
      mysz: 'false',
      jmsj: '',
    });
    expect((await found({ sort: 'btdh', sortOrder: 'desc' }))[0]).toBe('zz9');
    expect(await found({ sort: 'btmy; DROP TABLE SVC_bt', sortOrder: 'asc' })).toEqual(await found({ sortOrder: 'asc' }));
    expect(await found({ sort: '__proto__' })).toEqual(await found({}));
    expect(await found({ ss: '2.0.2.77' })).toContain('zz9');
    expect(await found({ ss: '_' })).toEqual([]);
    expect((await list({ page: 2, limit: 1 })).rows).toHaveLength(1);
    await hosting.app.get(HostingService).terminate(host.id, 'admin');
  });
});

describe('btsc', () => {
  it('keeps a node with hosts and reports their number', async () => {
    await add({});
    const id = await idOf('n1');
    const service = hosting.app.get(HostingService);
    const hosts = await Promise.all(
      ['alice01', 'bob0001'].map((user) => service.provision({ node: 'n1', user, password: 'secret-1', expiresOn: null }, 'admin')),
    );
    await expect(nodes.remove({ id })).rejects.toMatchObject({ code: 'NODE_IN_USE', params: { code: 'n1', n: 2 } });
    for (const host of hosts) expect(await service.get(host.id)).toMatchObject({ status: 'active' });
    for (const host of hosts) await service.terminate(host.id, 'admin');
    const results = await Promise.allSettled([1, 2].map(() => nodes.remove({ id })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(nodes.remove({ id })).rejects.toMatchObject({ code: 'NODE_MISSING' });
  });

  it('and a concurrently added host: only one of the two succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      await add({});
      const id = await idOf('n1');
      const service = hosting.app.get(HostingService);
      const [removed, host] = await Promise.allSettled([
        nodes.remove({ id }),
        service.provision({ node: 'n1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'admin'),
      ]);
      expect([removed.status, host.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
      if (host.status === 'rejected') continue;
      await service.terminate(host.value.id, 'admin');
      await nodes.remove({ id });
    }
  });
});

describe('btmygx', () => {
  it('returns a new key and until when the old one is valid', async () => {
    await add({});
    const id = await idOf('n1');
    const before = keyOf(await rows().findOneByOrFail({ id }));
    const done = await nodes.rotateKeys(Object.assign(new RotateKeysInput(), { id }));
    expect(done).toMatchObject({ text: 'hosting.keys_rotated', params: { btdh: 'n1' } });
    const node = await rows().findOneByOrFail({ id });
    expect(done.extras.dymy).toBe(keyOf(node));
    expect(keyOf(node)).not.toBe(before);
    expect(Math.abs(node.previousUntil!.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    expect((await list()).rows.find((row) => row.btdh === 'n1')!.jmsj).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(JSON.stringify([done, await list()])).not.toContain(before);
    expect(await nodes.rotateKeys(Object.assign(new RotateKeysInput(), { id, xs: 0 }))).toMatchObject({
      text: 'hosting.keys_replaced',
      extras: { jmsj: '' },
    });
    expect(await rows().findOneByOrFail({ id })).toMatchObject({ previousOpenKey: null, previousSignatureKey: null, previousUntil: null });
  });
});

describe('server of a node', () => {
  it('is tested by its driver', async () => {
    expect((await servers.test({ btid: await idOf('bh1') }, ctx)).body).toMatchObject({
      success: true,
      qk: 1,
      code: '通信正常',
      titco: 'text-success',
      version: expect.any(String),
    });
    expect((await servers.test({ btid: 999 }, ctx)).body).toEqual({ success: false, qk: 0, code: '宝塔不存在', titco: 'text-danger' });
    // `fake1` names a driver nobody registered here.
    expect((await servers.test({ btid: await idOf('fake1') }, ctx)).body).toMatchObject({
      qk: 0,
      code: expect.stringContaining('驱动（fake）缺失'),
    });
    await add({ driver: 'fakephp' });
    const btid = await idOf('n1');
    php.probeAnswer = { outcome: 'unreachable', message: 'x' };
    expect((await servers.test({ btid }, ctx)).body).toMatchObject({ qk: 0, titco: 'text-danger' });
    php.probeAnswer = { outcome: 'unknown', message: 'x' };
    expect((await servers.test({ btid }, ctx)).body).toMatchObject({ qk: 0, code: expect.stringMatching(/^连接失败/) });
    php.probeAnswer = { outcome: 'refused', message: 'IP校验失败' };
    expect((await servers.test({ btid }, ctx)).body).toMatchObject({ qk: 0, code: '服务器拒绝了该操作：IP校验失败' });
  });

  it('has the PHP versions its driver reports', async () => {
    await add({ driver: 'fakephp' });
    const at = { btdh: 'n1' };
    expect((await servers.listPhp(at, ctx)).body).toEqual({
      success: true,
      qk: 1,
      versions: ['74', '82', '100'],
      latest: '100',
      current_default: '',
    });
    expect((await servers.detectPhp(at, ctx)).body).toMatchObject({ qk: 1, version: '100' });
    expect((await servers.setPhp({ ...at, version: '74' }, ctx)).body).toMatchObject({ qk: 1, msg: '已设置节点 n1 的默认 PHP 版本为 74' });
    expect(await rows().findOneByOrFail({ code: 'n1' })).toMatchObject({ defaultPhp: '74' });
    expect((await servers.setPhp({ ...at, version: '53' }, ctx)).body).toMatchObject({
      success: false,
      qk: 0,
      msg: expect.stringContaining('74, 82, 100'),
    });
    expect((await servers.setPhp({ ...at, version: '' }, ctx)).body).toEqual({ success: false, qk: 0, msg: '参数不完整' });
    php.answer = { outcome: 'ok', value: ['00'] };
    expect((await servers.detectPhp(at, ctx)).body).toMatchObject({ success: false, qk: 0 });
    php.answer = { outcome: 'unreachable', message: 'x' };
    expect((await servers.listPhp(at, ctx)).body).toMatchObject({ success: false, qk: 0 });
    expect(await rows().findOneByOrFail({ code: 'n1' })).toMatchObject({ defaultPhp: '74' });
  });

  it('without PHP is no failure; a version is stored for later', async () => {
    const msg = '服务器 bh1 不提供 PHP，其网站均为静态网站，无需设置版本。';
    expect((await servers.listPhp({ btdh: 'bh1' }, ctx)).body).toEqual({
      success: true,
      qk: 1,
      msg,
      versions: [],
      latest: '',
      current_default: '',
    });
    expect((await servers.detectPhp({ btdh: 'bh1' }, ctx)).body).toEqual({ success: true, qk: 1, version: '', msg });
    expect((await servers.setPhp({ btdh: 'bh1', version: '74' }, ctx)).body).toMatchObject({
      success: true,
      qk: 1,
      msg: expect.stringContaining('仅保存'),
    });
    expect((await servers.listPhp({ btdh: 'bh1' }, ctx)).body).toMatchObject({ current_default: '74' });
    await rows().update({ code: 'bh1' }, { defaultPhp: '' });
    expect((await servers.listPhp({ btdh: '' }, ctx)).body).toEqual({ success: false, qk: 0, msg: '请指定节点' });
    expect((await servers.listPhp({ btdh: 'nowhere' }, ctx)).body).toMatchObject({ qk: 0, msg: expect.stringContaining('nowhere') });
  });
});
