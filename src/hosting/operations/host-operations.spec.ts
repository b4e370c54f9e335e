import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { type ListReply, type RawReply } from '../../operations/index.js';
import { BinnedSite, CallingKeys, DriverNodes, HostingNode, HostingService, HostUserDirectory, NodesService } from '../index.js';

import { AdminHostOperations } from './admin-host.operations.js';
import { AddHostInput, HostListInput } from './host-inputs.js';
import { NodeOperations } from './node.operations.js';
import { UserHostOperations } from './user-host.operations.js';

let hosting: TestHosting;
let admin: AdminHostOperations;
const ctx = testCall({ admin: { id: 1, username: 'root' } });

beforeAll(async () => {
  hosting = await createTestHosting();
  admin = hosting.app.get(AdminHostOperations, { strict: false });
  for (const [user, datae] of [
    ['carol001', '2031-01-02'],
    ['alice01', ''],
    ['bob_0001', '0'],
  ] as const)
    await add({ user, datae });
});
afterAll(() => hosting.dispose());

const add = (fields: Partial<AddHostInput>) =>
  admin.addHost(Object.assign(new AddHostInput(), { btdh: 'bh1', pass: 'secret-1', webkj: 500, ll: 30 }, fields));

async function list(fields: Partial<HostListInput> = {}): Promise<{ total: number; users: string[] }> {
  const page = (await admin.listHosts(Object.assign(new HostListInput(), fields), ctx)) as ListReply<Record<string, string>>;
  return { total: page.total, users: page.rows.map((row) => row.user!) };
}

describe('addzj', () => {
  it('rejects taken, short or invalid values', async () => {
    const refusal = (code: string, ...fields: string[]) => ({
      code,
      fields: Object.fromEntries(fields.map((name) => [name, expect.any(String)])),
    });
    await expect(add({ user: 'ALICE01' })).rejects.toMatchObject(refusal('ACCOUNT_EXISTS', 'user'));
    await expect(add({ user: 'abc' })).rejects.toMatchObject(refusal('CREDENTIALS_TOO_SHORT', 'user'));
    await expect(add({ user: 'erin0001', pass: '12345' })).rejects.toMatchObject(refusal('CREDENTIALS_TOO_SHORT', 'pass'));
    await expect(add({ user: 'erin0001', datae: '2031-02-30' })).rejects.toMatchObject({ fields: { datae: 'hosting.field_date' } });
  });

  it('adds one account per request number, paused if switched off', async () => {
    const first = await add({ user: 'frank001', qqh: 'r1', kg: false });
    expect((await add({ user: 'frank001', qqh: 'r1', kg: false })).extras).toEqual(first.extras);
    const service = hosting.app.get(HostingService);
    const frank = (await service.get('frank001'))!;
    expect(frank).toMatchObject({ status: 'paused', pauseReasons: ['admin'] });
    await service.terminate(frank.id, 'admin');
  });

  it('creates the host even if the server has no PHP, and says so', async () => {
    const reply = await add({ user: 'heidi001', php: '8.2' });
    expect(reply).toMatchObject({ text: 'hosting.added_without_php', params: { reason: { key: 'hosting.port_missing' } } });
    await hosting.app.get(HostingService).terminate(Number((reply.extras as { id: number }).id), 'admin');
  });

  it('accepts the owner’s mail address, and rejects an invalid one', async () => {
    for (const mailuser of ['no address', 'a@b', `${'a'.repeat(250)}@example.com`, 'a@example.com, b@example.com'])
      await expect(add({ user: 'grace001', mailuser })).rejects.toMatchObject({ fields: { mailuser: 'hosting.field_email' } });
    const { extras } = await add({ user: 'grace001', mailuser: 'grace@example.com' });
    const [row] = ((await admin.listHosts(Object.assign(new HostListInput(), { ss: 'grace001' }), ctx)) as ListReply<{ mailuser: string }>)
      .rows;
    expect(row!.mailuser).toBe('grace@example.com');
    await hosting.app.get(HostingService).terminate(Number((extras as { id: number }).id), 'admin');
  });
});

describe('listzj', () => {
  it('responds with rows of strings in the format of deployed pages, without a password', async () => {
    const page = (await admin.listHosts(Object.assign(new HostListInput(), { ss: 'alice' }), ctx)) as ListReply<Record<string, string>>;
    const [row] = page.rows;
    expect(row).toMatchObject({
      user: 'alice01',
      ssbt: 'bh1',
      datae: '0000-00-00',
      qk: 'true',
      hxa: '{"max":500,"dq":0}',
      llmax: '{"max":30,"dq":0,"statistics":false,"history":{}}',
      ymbds: '0',
    });
    expect(Object.values(row!).every((value) => typeof value === 'string')).toBe(true);
    const { row_version, ...shown } = row!;
    expect(JSON.stringify(shown)).not.toMatch(/pass|hash|secret/);
    // Whether it was changed, by a part of a hash of its hash.
    expect(row_version).toMatch(/,pass:[\w-]{6}$/);
  });

  it('sorts only by known columns, stably, and pages', async () => {
    expect((await list({ sort: 'user', sortOrder: 'asc' })).users).toEqual(['alice01', 'bob_0001', 'carol001']);
    expect((await list({ sort: 'pass; DROP TABLE SVC_zj', sortOrder: 'asc' })).users).toEqual(['carol001', 'alice01', 'bob_0001']);
    expect((await list({ sort: 'constructor' })).users).toEqual(['bob_0001', 'alice01', 'carol001']);
    expect(await list({ sort: 'ssbt', sortOrder: 'asc', page: 2, limit: 2 })).toEqual({ total: 3, users: ['bob_0001'] });
    expect((await list({ page: 9 })).users).toEqual([]);
  });

  it('searches and filters, with wildcards taken literally', async () => {
    const where = (name: string, type: string, value: string) => JSON.stringify({ name, type, value });
    expect((await list({ where: where('user', '1', 'ALICE01') })).users).toEqual(['alice01']);
    expect((await list({ where: where('user', '1', 'alice') })).users).toEqual([]);
    expect((await list({ where: where('user', '2', 'lice') })).users).toEqual(['alice01']);
    expect((await list({ where: where('user', '2', '_') })).users).toEqual(['bob_0001']);
    expect((await list({ where: where('user', '2', '%') })).users).toEqual([]);
    expect((await list({ where: where('user', '2', "' OR '1'='1") })).users).toEqual([]);
    for (const ignored of ['', 'nonsense', 'null', '[]', where('user', '1', '')]) expect((await list({ where: ignored })).total).toBe(3);
    expect((await list({ btdh: 'fake1' })).total).toBe(0);
    expect((await list({ zjzt: 'active', btdh: 'bh1' })).total).toBe(3);
    const refused = async (text: string) =>
      ((await admin.listHosts(Object.assign(new HostListInput(), { where: text }), ctx)) as RawReply).body;
    expect(await refused(where('user', '3', 'x'))).toEqual({ code: 4, msg: '搜索方式错误！只能为模糊或者精确搜索！' });
    expect(await refused(where('pass', '2', 'x'))).toEqual({ code: 4, msg: '错误！不存在的搜索字段！' });
  });

  it.runIf(!process.env.TEST_DATABASE_SERVER)('uses an index for every sort order', async () => {
    for (const column of ['id', 'user_key', 'ssbt', 'datae', 'qk']) {
      const plan = await hosting.database.query<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM SVC_zj ORDER BY ${column} DESC, id DESC LIMIT 20 OFFSET 1000`,
      );
      expect(plan.map((step) => step.detail).join(), column).not.toContain('TEMP B-TREE FOR ORDER BY');
    }
  });
});

describe('zjxx', () => {
  it('returns the own account', async () => {
    const alice = (await hosting.app.get(HostingService).get('alice01'))!;
    const user = hosting.app.get(UserHostOperations, { strict: false });
    const card = await user.ownHost({}, testCall({ user: { id: alice.id, username: 'alice01' } }));
    expect(card.extras).toMatchObject({ user: 'alice01', url: alice.url });
    await expect(user.ownHost({}, ctx)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

describe('nodes', () => {
  it('lists the calling key and no other secret', async () => {
    await hosting.database
      .repository(HostingNode)
      .update({ code: 'bh1' }, { sealedPanelKey: hosting.app.get(DriverNodes).sealKey('panel-secret') });
    const page = await hosting.app
      .get(NodeOperations, { strict: false })
      .listNodes(new HostListInput(), testCall({ admin: { id: 1, username: 'root' } }));
    expect(page.total).toBe(2);
    const row = page.rows.find((candidate) => candidate.btdh === 'bh1')!;
    expect(row).toMatchObject({ dymy: 'a65ad8da0fa268c798d3d70599733d55', btos: '1', qk: 'true' });
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['btmy']));
    expect(JSON.stringify(page.rows)).not.toMatch(/panel-secret|sealed:|"kt"|"qm"/);
  });

  it('creates the embedded node once, only at the first start', async () => {
    const nodes = hosting.database.repository(HostingNode);
    await hosting.app.get(NodesService).ensureEmbeddedNode(hosting.app.get(CallingKeys));
    expect(await nodes.countBy({ code: 'local' })).toBe(0);
    const kept = await nodes.find();
    for (const host of ['carol001', 'alice01', 'bob_0001']) {
      const service = hosting.app.get(HostingService);
      await service.terminate((await service.get(host))!.id, 'admin');
    }
    await hosting.database.repository(BinnedSite).createQueryBuilder().delete().execute();
    await nodes.createQueryBuilder().delete().execute();
    await Promise.all([1, 2, 3].map(() => hosting.app.get(NodesService).ensureEmbeddedNode(hosting.app.get(CallingKeys))));
    const [local, ...others] = await nodes.find();
    expect(others).toEqual([]);
    expect(local).toMatchObject({ code: 'local', driver: 'embedded', enabled: true, openKey: expect.stringMatching(/^sealed:1:/) });
    await nodes.insert(kept);
  });
});

describe('host users', () => {
  it('reports who may sign in, and why not', async () => {
    const directory = hosting.app.get(HostUserDirectory);
    const service = hosting.app.get(HostingService);
    const { id } = await service.provision({ node: 'bh1', user: 'Grace001', password: 'secret-1', expiresOn: null }, 'api');
    expect(await directory.findForLogin('nobody')).toBeNull();
    expect(await directory.findForLogin('GRACE001')).toEqual({ id, username: 'Grace001', passwordHash: 'hash(1-terces)' });
    await service.pause(id, 'admin', 'admin');
    expect((await directory.findById(id))?.refusal).toEqual({ text: 'hosting.login_paused', params: { contact: 'QQ10001' } });
    // Whoever has only expired may come in, to pay and to fetch his files.
    await service.renew(id, '2020-01-01', 'admin');
    await service.unpause(id, 'admin', 'admin');
    expect((await directory.findById(id))?.refusal ?? null).toBeNull();
  });
});
