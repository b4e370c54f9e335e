/**
 * Records of names, with the panel killed during a provider request: nothing exists twice, none of our records are left over, and records
 * of others are untouched.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { DnsEntry } from '../../src/dns/index.js';
import { HostingNode } from '../../src/hosting/index.js';
import { JobRun } from '../../src/jobs/index.js';
import { createStartedPlace, type TestPlace } from '../support/database.js';
import { FakeDns } from '../support/fake-dns.js';
import { someMoments } from '../support/moments.js';
import { ServerProcess } from '../support/server-process.js';

const PASS = 'a-password-of-my-own';
const NAME = 'shop.names.example.com';
/** The calls that create, change and remove a record there. */
const CALLS = {
  cloudflare: { make: /^POST /, change: /^PUT /, remove: /^DELETE / },
  dnspod: { make: /Record\.Create$/, change: /Record\.Modify$/, remove: /Record\.Remove$/ },
} as const;

const SIDES = ['before', 'after'] as const;
/** One provider is called before the panel is killed, the other one after. */
const [sides] = someMoments([SIDES, [...SIDES].reverse()]);
const KILLS = (['cloudflare', 'dnspod'] as const).map((kind, at) => [kind, process.env.MOMENTS === 'all' ? SIDES : [sides![at]!]] as const);

describe.each(KILLS)('records at %s, with the panel killed midway', (kind, whens) => {
  let place: TestPlace;
  let database: Database;
  let fake: FakeDns;
  let panel: ServerProcess;
  let admin: DemoVisitor;
  let owner: DemoVisitor;
  let zone: string;
  let name: string;

  beforeAll(async () => {
    place = await createStartedPlace();
    database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    fake = await FakeDns.start(kind);
    await start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'ann001', pass: PASS });
    await signIn();
    await leadsTo('192.0.2.10');
    const settings = Object.fromEntries(Object.entries(fake.settings).map(([key, value]) => [`cs[${key}]`, value]));
    const provider = await admin.operate('admin', { gn: 'p_dns_provider_save', slug: kind, name: kind, ...settings });
    const url = { url: 'names.example.com', bt: 'local', sl: '0', xxts: '0', provider_id: String(provider.id) };
    zone = String((await admin.operate('admin', { gn: 'addym', ...url })).id);
    fake.add('A', `other.${NAME}`, '198.51.100.7');
  }, 120_000);
  afterAll(async () => {
    await panel?.stop('SIGKILL');
    await fake?.close();
    await database.dataSource.destroy();
    await place.dispose();
  });

  async function start(): Promise<void> {
    panel = await ServerProcess.start(place, { OUTBOUND_ALLOW: '127.0.0.0/8', RATE_LIMIT: 'off', CAPTCHA: 'off' });
    await panel.ready();
    admin = new DemoVisitor(panel.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
  }
  async function signIn(): Promise<void> {
    owner = new DemoVisitor(panel.url);
    await owner.operate('user', { gn: 'login', user: 'ann001', pass: PASS });
  }
  const leadsTo = (dnsTarget: string) => database.repository(HostingNode).update({ code: 'local' }, { dnsTarget });
  const run = () => admin.operate('admin', { gn: 'jhrun', id: 'core:dns-records' }).catch(() => undefined);

  /** Kills the panel at a call, before or after it was done, and restarts it; the dead process's claims are free immediately. */
  async function killedAt(call: RegExp, when: 'before' | 'after'): Promise<void> {
    const kill = (what: string): boolean => {
      if (!call.test(what)) return false;
      void panel.stop('SIGKILL');
      return true;
    };
    if (when === 'before') fake.instead = (_req, _res, what) => kill(what);
    else fake.silent = kill;
    await run();
    expect(await panel.ended).toBe('SIGKILL');
    fake.instead = null;
    fake.silent = null;
    await database.repository(JobRun).createQueryBuilder().update().set({ running: null }).execute();
    await database
      .repository(DnsEntry)
      .createQueryBuilder()
      .update()
      .set({ dueAt: new Date(0) })
      .execute();
    await start();
    await signIn();
  }
  const settles = (values: string[]) =>
    expect
      .poll(
        async () => {
          await run();
          return fake.of(NAME);
        },
        { timeout: 60_000, interval: 500 },
      )
      .toEqual(values);

  it.each(whens)('are created, changed and removed once, killed %s each call', { timeout: 240_000 }, async (when) => {
    await leadsTo('192.0.2.10');
    name = String((await owner.operate('user', { gn: 'ymbd', id: zone, qz: 'shop' })).id);
    await killedAt(CALLS[kind].make, when);
    await settles(['A 192.0.2.10']);
    await expect.poll(async () => (await database.repository(DnsEntry).findOneBy({ name: NAME }))?.state).toBe('done');
    await leadsTo('192.0.2.11');
    await killedAt(CALLS[kind].change, when);
    await settles(['A 192.0.2.11']);
    await expect.poll(async () => (await database.repository(DnsEntry).findOneBy({ name: NAME }))?.state).toBe('done');
    await owner.operate('user', { gn: 'ymjb', id: name });
    await killedAt(CALLS[kind].remove, when);
    await settles([]);
    await expect.poll(async () => database.repository(DnsEntry).count(), { timeout: 30_000 }).toBe(0);
    expect(fake.records.map(({ value }) => value)).toEqual(['198.51.100.7']);
  });
});
