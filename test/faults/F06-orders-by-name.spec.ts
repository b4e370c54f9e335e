import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { OrdersOfIds1795400500100 } from '../../src/database/migrations/1795400500100-orders-of-ids.js';
import { HostingService } from '../../src/hosting/index.js';
import { Order, Orders } from '../../src/payment/index.js';
import { addCustomer } from '../support/customers.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

describe('F6 orders by name', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();
    writePlugin(
      panel.dataDir,
      'seller',
      functionPlugin(`
        const make = (owner) => svc.orders.create({ user: 'whoever', scene: 's', name: 'n', amount: 100, ...(owner === undefined
          ? {} : { owner }) });
        svc.svc_register_route('POST', '/sell', async (params, ctx) => make(ctx.body.owner ? JSON.parse(ctx.body.owner)
          : undefined), 10, null, { csrfExempt: true });
        svc.svc_register_route('POST', '/assign', async (params, ctx) => ({ done: await svc.orders.assign(ctx.body.ddh,
          JSON.parse(ctx.body.owner)) }), 10, null, { csrfExempt: true });`),
    );
    await panel.enable('seller');
  });
  afterAll(() => panel.close());

  const adddd = async (user: string): Promise<string> => {
    const answer = await panel.admin('adddd', { user, scene: 'by_hand', name: 'Order', rmb: '1' });
    return String(answer.data.ddh);
  };
  const asUser = async (
    cookie: string,
    gn: string,
    fields: Record<string, string> = {},
  ): Promise<{ success?: boolean; total?: number; rows?: { ddh: string }[] }> =>
    (
      await panel.fetch('/user/ajax.php', { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams({ gn, ...fields }) })
    ).json() as never;
  const ownOf = async (cookie: string): Promise<string[]> => (await asUser(cookie, 'listdd')).rows!.map(({ ddh }) => ddh).sort();
  const post = async (path: string, fields: Record<string, string>, cookie = ''): Promise<Record<string, unknown>> =>
    (await (await panel.fetch(path, { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams(fields) })).json()) as Record<
      string,
      unknown
    >;
  async function terminate(user: string): Promise<void> {
    const hosting = panel.get(HostingService);
    await hosting.terminate((await hosting.get(user))!.id, 'admin');
  }

  it('belong to the account that has the name, and to nobody after it', async () => {
    const cookie = await panel.signInUser('former01');
    const mine = await adddd('FORMER01');
    expect(await ownOf(cookie)).toEqual([mine]);
    expect(await asUser(cookie, 'ddcx', { ddh: mine })).toMatchObject({ success: true });
    await terminate('former01');
    const next = await panel.signInUser('former01');
    expect(await ownOf(next)).toEqual([]);
    expect(await asUser(next, 'ddcx', { ddh: mine })).toMatchObject({ success: false });
    // The administrator still finds it by the name it was created for.
    const found = (await panel.admin('listdd', { where: JSON.stringify({ name: 'ddh', type: '1', value: mine }) })).rows as unknown as {
      user: string;
    }[];
    expect(found).toMatchObject([{ user: 'FORMER01' }]);
  });

  it('created for a free name belong to nobody when someone gets the name', async () => {
    const stray = await adddd('later001');
    const cookie = await panel.signInUser('later001');
    expect(await ownOf(cookie)).toEqual([]);
    expect(await asUser(cookie, 'ddcx', { ddh: stray })).toMatchObject({ success: false });
    expect(await (await panel.fetch('/user/orders', { headers: { Cookie: cookie } })).text()).not.toContain(stray);
  });

  it('created by plugins belong to the signed-in or named account, and can be assigned once', async () => {
    const cookie = await panel.signInUser('buyer001');
    const { id } = (await panel.get(HostingService).get('buyer001'))!;
    const signedIn = await post('/sell', {}, cookie);
    expect(signedIn).toMatchObject({ user: 'whoever', owner: { account: id } });
    const nobodys = await post('/sell', {});
    expect(nobodys.owner).toBeNull();
    const named = await post('/sell', { owner: JSON.stringify({ account: id }) });
    // The same number, as a customer's.
    const customer = await addCustomer(panel, 'buyer001');
    const customers = await post('/sell', { owner: JSON.stringify({ customer }) }, cookie);
    expect(customers.owner).toEqual({ customer });
    expect(await ownOf(cookie)).toEqual([signedIn.ddh, named.ddh].sort());

    const assign = (ddh: unknown, owner: unknown): Promise<Record<string, unknown>> =>
      post('/assign', { ddh: String(ddh), owner: JSON.stringify(owner) });
    expect(await assign(nobodys.ddh, { account: 0 })).toEqual({ done: false });
    expect(await assign(nobodys.ddh, { account: id, customer: 1 })).toEqual({ done: false });
    const given = await Promise.all([1, 2, 3].map(() => assign(nobodys.ddh, { account: id })));
    expect(given.filter(({ done }) => done)).toHaveLength(1);
    expect(await assign(nobodys.ddh, { customer: 9 })).toEqual({ done: false });
    expect(await assign('20000101000000000000', { account: id })).toEqual({ done: false });
    expect(await ownOf(cookie)).toContain(nobodys.ddh);
  });

  it('reject an impossible owner', async () => {
    for (const owner of [{}, { customer: 4711 }, { account: '1' }, { account: -1 }, { account: 1.5 }, { somebody: 1 }, [1]]) {
      await expect(panel.get(Orders).create({ user: 'u', scene: 's', name: 'n', amount: 1, owner: owner as never })).rejects.toMatchObject({
        code: 'ORDER_INVALID',
      });
    }
    expect(await panel.get(Database).repository(Order).countBy({ user: 'u' })).toBe(0);
  });
});

describe('F6 orders of an upgraded panel', () => {
  it('are assigned to accounts that existed before them or were opened for them', async () => {
    const panel = await TestPanel.start();
    const database = panel.get(Database);
    /** As migrations run: SQLite rebuilds a table when its columns change. */
    const inRunner = async (work: (runner: QueryRunner) => Promise<void>): Promise<void> => {
      const runner = database.dataSource.createQueryRunner();
      try {
        await runner.beforeMigration();
        await work(runner);
        await runner.afterMigration();
      } finally {
        await runner.release();
      }
    };
    try {
      const hosting = panel.get(HostingService);
      const opened = await hosting.provision(
        {
          node: 'local',
          user: 'opened01',
          password: 'secret-pass-1',
          expiresOn: null,
          idempotencyKey: 'hosting_shop:20260101000000000003',
        },
        'hosting_shop',
      );
      const plain = await hosting.provision({ node: 'local', user: 'Plain001', password: 'secret-pass-1', expiresOn: null }, 'admin');
      const rows: [string, string, string, number | null][] = [
        ['20260101000000000001', 'plain001', '2000-01-01 00:00:00.000', null],
        ['20260101000000000002', 'PLAIN001', '2090-01-01 00:00:00.000', plain.id],
        ['20260101000000000003', 'opened01', '2000-01-01 00:00:00.000', opened.id],
        ['20260101000000000004', 'opened01', '2000-01-01 00:00:00.000', null],
        ['20260101000000000005', 'nobody01', '2090-01-01 00:00:00.000', null],
      ];
      const migration = new OrdersOfIds1795400500100();
      await inRunner((runner) => migration.down(runner));
      for (const [number, user, date] of rows) {
        await database.dataSource.query(
          "INSERT INTO SVC_dd (ddh, user, name, rmb, ff, scene, qk, cs, access_key, date) VALUES (?, ?, 'n', '1.00', " +
            "'', 's', 'unpaid', '{}', 'k', ?)",
          [number, user, date],
        );
      }
      await inRunner((runner) => migration.up(runner));
      const orders = await database.repository(Order).find({ order: { id: 'ASC' } });
      expect(orders.map(({ number, ownerKind, ownerId }) => [number, ownerKind, ownerId])).toEqual(
        rows.map(([number, , , id]) => [number, id === null ? null : 'account', id]),
      );
    } finally {
      await panel.close();
    }
  });
});
