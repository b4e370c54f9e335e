import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { categoryLabel } from '../../src/account/log-lines.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { DnsProvider } from '../../src/dns/entities/index.js';
import { NoticeDelivery } from '../../src/notify/entities/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { createTestPlace, type TestPlace } from '../support/database.js';

const THEN = '2026-11-01 00:00:00.000';

let place: TestPlace;
let database: Database;
beforeAll(async () => {
  place = await createTestPlace();
  database = createDatabase(ormOptions(place.config));
  const { dataSource } = database;
  await dataSource.initialize();
  const all = [...dataSource.migrations];
  /** Brings the database to its state before a migration, or to the current state without one. */
  const migrate = async (before?: string): Promise<void> => {
    const end = before === undefined ? all.length : all.findIndex(({ name }) => name === before);
    (dataSource.migrations as unknown[]).splice(0, Infinity, ...all.slice(0, end));
    await dataSource.runMigrations();
  };
  await migrate('LogSources1795636000000');
  for (const [czuser, lx, lr] of [
    ['callback:a_gateway', '支付回调', '「a notification」'],
    ['callback:login', '登陆', '有人登录后台未成功'],
    ['callback', '支付回调', 'an account of that name'],
    ['api', 'api.php', 'api_key (bh1)'],
    ['api', 'api.php', 'api_call_key (bh1)'],
    ['api', 'api.php', 'api_keys alice (bh1)'],
    ['admin', 'p_hosting_shop_plan_save', '[hosting_shop] Saved a plan'],
    ['admin', 'route', '[hosting_shop] Called POST /shop'],
    ['admin', 'p_desk_close', 'Closed a ticket'],
    ['admin', 'gl', '[odd] name'],
  ])
    await dataSource.query("INSERT INTO SVC_log (czuser, date, lx, lr, ip, qk) VALUES (?, ?, ?, ?, '', 'ok')", [czuser, THEN, lx, lr]);
  for (const route of ['mail', 'channel:17'])
    await dataSource.query(
      'INSERT INTO SVC_notice_delivery (notice_id, side, account_id, username, route, target, title, state, ' +
        "created_at) VALUES (1, 'user', 1, 'a', ?, 'x', 't', 'sent', ?)",
      [route, THEN],
    );
  await migrate('DnsPlugin1795772000000');
  for (const slug of ['cloudflare', 'zone_maker:zones'])
    await dataSource.query("INSERT INTO SVC_dns_provider (slug, name, settings, created_at) VALUES (?, 'n', '', ?)", [slug, THEN]);
  await migrate();
});
afterAll(async () => {
  if (database.dataSource.isInitialized) await database.dataSource.destroy();
  await place.dispose();
});

describe('texts in rows of earlier versions', () => {
  it('contain where a line of the operation log came in, and which plugin it belongs to', async () => {
    const lines = await database.repository(OperationLog).find({ order: { id: 'ASC' } });
    expect(lines.map(({ source, plugin }) => [source, plugin])).toEqual([
      ['a_gateway', null],
      ['login', null],
      [null, null],
      ['api.php', null],
      ['api.php', null],
      [null, null],
      [null, 'hosting_shop'],
      [null, 'hosting_shop'],
      [null, 'desk'],
      [null, null],
    ]);
    const told = lines.map(({ category, plugin }) => categoryLabel(category, plugin, 'en'));
    expect([told[6], told[8]]).toEqual([expect.stringContaining('hosting_shop'), expect.stringContaining('desk')]);
  });

  it('contain the channel of a notice', async () => {
    const sent = await database.repository(NoticeDelivery).find({ order: { id: 'ASC' } });
    expect(sent.map(({ channelId }) => channelId)).toEqual([null, 17]);
  });

  it('contain the plugin of an account at a DNS provider', async () => {
    const providers = await database.repository(DnsProvider).find({ order: { id: 'ASC' } });
    expect(providers.map(({ slug, plugin }) => [slug, plugin])).toEqual([
      ['cloudflare', ''],
      ['zone_maker:zones', 'zone_maker'],
    ]);
  });
});
