import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { FakeDriver } from '../../../test/support/fake-driver.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import {
  DriverRegistry,
  HostHistoryEntry,
  HostingAccount,
  HostingNode,
  HostingService,
  NodeSystem,
  ServerGroup,
  ServerGroupMember,
  ServerLoads,
} from '../index.js';

let hosting: TestHosting;
let service: HostingService;
const driver = new FakeDriver();
const away = new Set<number>();

beforeAll(async () => {
  hosting = await createTestHosting();
  hosting.app.get(DriverRegistry).register(driver);
  hosting.app
    .get(ServerLoads)
    .add((nodes) => Promise.resolve(new Map(nodes.map(({ id }) => [id, { load: null, diskPercent: null, isOnline: !away.has(id) }]))));
  service = hosting.app.get(HostingService);
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  for (const entity of [HostingAccount, HostHistoryEntry, ServerGroupMember, ServerGroup])
    await hosting.database.repository<object>(entity).createQueryBuilder().delete().execute();
  await nodes().createQueryBuilder().delete().where("driver = 'fake'").execute();
  driver.sites.clear();
  driver.script = [];
  away.clear();
});

const nodes = () => hosting.database.repository(HostingNode);
const accounts = () => hosting.database.repository(HostingAccount);
let users = 0;
const request = (node: string, more: object = {}) => ({
  node,
  user: `user${(users += 1)}x`,
  password: 'secret-1',
  expiresOn: null,
  ...more,
});

/** A server; @returns its id */
async function server(code: string, more: Partial<HostingNode> = {}): Promise<number> {
  const row = { code, codeKey: code, driver: 'fake', openKey: 'k', signatureKey: 's', system: NodeSystem.Linux, createdAt: new Date() };
  return (await nodes().save({ ...row, ...more })).id;
}

async function group(rule: ServerGroup['rule'], servers: number[], code = 'web'): Promise<void> {
  const row = { code, codeKey: code, name: 'Web', rule, createdAt: new Date() };
  const { id } = await hosting.database.repository(ServerGroup).save(row);
  await hosting.database.repository(ServerGroupMember).insert(servers.map((serverId) => ({ groupId: id, serverId })));
}

const countOn = (code: string) => accounts().countBy({ nodeCode: code });
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'opened',
    (error: { code?: string }) => error.code,
  );

describe('group of servers', () => {
  it('places each host by its rule, as recorded in the history of the host', async () => {
    await group('fill', [await server('a1', { capacity: 2 }), await server('a2')]);
    const placed = [];
    for (let n = 0; n < 3; n += 1) placed.push((await service.provision(request('auto:web'), 'shop')).node);
    expect(placed).toEqual(['a1', 'a1', 'a2']);
    const [entry] = await hosting.database.repository(HostHistoryEntry).find({ where: { what: 'host.placed' }, order: { id: 'ASC' } });
    expect(entry).toMatchObject({ source: 'shop', params: { server: 'a1', rule: 'fill', group: 'Web' } });
    expect(await service.groups()).toEqual([
      { code: 'auto:web', name: 'Web', servers: ['a1', 'a2'], unenforced: expect.any(Array) as string[] },
    ]);
  });

  it('never exceeds a capacity despite concurrent requests through other groups or the server itself', async () => {
    const [first, second] = [await server('b1', { capacity: 3 }), await server('b2', { capacity: 2 })];
    await group('least', [first, second]);
    await group('weight', [second, first], 'both');
    const asked = ['auto:web', 'auto:both', 'b1', 'auto:web', 'b2', 'auto:both', 'auto:web', 'auto:both', 'b1'];
    const results = await Promise.all(asked.map((node) => refusal(service.provision(request(node), 'shop'))));
    expect([await countOn('b1'), await countOn('b2')]).toEqual([3, 2]);
    expect(results.filter((one) => one === 'opened')).toHaveLength(5);
    expect(results.filter((one) => one !== 'opened').every((one) => one === 'GROUP_FULL' || one === 'NODE_FULL')).toBe(true);
    // One that goes makes room for another.
    const [some] = await accounts().findBy({ nodeCode: 'b1' });
    await service.terminate(some!.id, 'shop');
    expect((await service.provision(request('auto:both'), 'shop')).node).toBe('b1');
  });

  it('skips disabled and unreachable servers, and reports if none is left', async () => {
    const [off, gone, here] = [await server('c1', { enabled: false }), await server('c2'), await server('c3')];
    await group('least', [off, gone, here]);
    away.add(gone);
    expect((await service.provision(request('auto:web'), 'shop')).node).toBe('c3');
    away.delete(gone);
    // The one with fewer hosts does not answer when it is asked: the other one does.
    driver.script = ['unreachable'];
    expect((await service.provision(request('auto:web'), 'shop')).node).toBe('c3');
    expect(await countOn('c2')).toBe(0);
    for (const id of [gone, here]) away.add(id);
    expect(await refusal(service.provision(request('auto:web'), 'shop'))).toBe('GROUP_AWAY');
    expect(await refusal(service.provision(request('auto:nobody'), 'shop'))).toBe('GROUP_NOT_FOUND');
    expect(await refusal(service.provision(request('autocar'), 'shop'))).toBe('NODE_NOT_FOUND');
  });

  it('returns the same host for the same idempotency key, wherever it was placed', async () => {
    await group('least', [await server('d1'), await server('d2')]);
    const asked = request('auto:web', { idempotencyKey: 'order-1' });
    const once = await service.provision(asked, 'shop');
    await service.provision(request('auto:web'), 'shop');
    expect(await service.provision(asked, 'shop')).toEqual(once);
    expect(await refusal(service.provision({ ...asked, node: 'd1' }, 'shop'))).toBe('REQUEST_REUSED');
    expect(await refusal(service.open({ ...asked, idempotencyKey: 'o2', user: 'another1' }, 'api'))).toBe('opened');
    expect(await refusal(service.open({ ...asked, idempotencyKey: 'o2', user: 'another1' }, 'api'))).toBe('opened');
    expect(await accounts().countBy({ username: 'another1' })).toBe(1);
  });

  it('with the code auto means any open server', async () => {
    await server('e1', { capacity: 1 });
    expect(['e1', 'bh1']).toContain((await service.provision(request('auto'), 'admin')).node);
  });
});
