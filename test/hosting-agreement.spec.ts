/**
 * Whatever owners, administrators and shops do in any order, and whatever the result of each call to a server: once everything has settled,
 * rows, server and responses agree.
 */
import fc from 'fast-check';
import { IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppError } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { readCertificate, type ReadCertificate } from '../src/hosting/certificates/read-certificate.js';
import { SiteCertificateService } from '../src/hosting/certificates/site-certificate-service.js';
import { BinRestore } from '../src/hosting/bin/index.js';
import { SiteRepair } from '../src/hosting/drift/index.js';
import {
  AccountRecovery,
  BinPurge,
  BinnedSite,
  type BinPort,
  CertificateRepository,
  DomainRepository,
  type DriverAccount,
  DriverRegistry,
  type DriverResult,
  HostingAccount,
  HostingService,
  SiteDomain,
  SiteDomains,
} from '../src/hosting/index.js';
import { WebSettingRepository } from '../src/hosting/web-settings/index.js';
import { SiteAccess } from '../src/hosting/site-tools/index.js';
import { TestAuthority } from './support/certificates.js';
import { FakeDriver, type FakeOutcome } from './support/fake-driver.js';
import { TestPanel } from './support/panel.js';

/** A server that also keeps deleted sites, and serves domains, settings and certificates as configured. */
class WholeServer extends FakeDriver {
  override readonly type = 'whole';
  readonly kept = new Map<string, string>();
  override readonly bin: BinPort = {
    has: (kept) => this.play('has', kept, () => ({ outcome: 'ok', value: this.kept.has(kept.siteName) })),
    restore: (kept, account) =>
      this.play<undefined>('restore', account, () => {
        const mark = this.kept.get(kept.siteName);
        const site = this.sites.get(account.siteName);
        if (!site) return { outcome: 'not_found' };
        if (mark === undefined)
          return site.restoredFrom === kept.siteName ? { outcome: 'already', value: undefined } : { outcome: 'not_found' };
        if (mark !== kept.ownerMark) return { outcome: 'refused', message: 'somebody else’s' };
        this.kept.delete(kept.siteName);
        site.restoredFrom = kept.siteName;
        return { outcome: 'ok', value: undefined };
      }),
    purge: (kept) =>
      this.play<undefined>('purge', kept, () =>
        this.kept.delete(kept.siteName) ? { outcome: 'ok', value: undefined } : { outcome: 'not_found' },
      ),
  };

  override terminate(account: DriverAccount): Promise<DriverResult> {
    return this.play<undefined>('terminate', account, () => {
      const site = this.sites.get(account.siteName);
      if (!site) return { outcome: 'not_found' };
      if (site.mark !== account.ownerMark) return { outcome: 'refused', message: 'somebody else’s' };
      this.kept.set(account.siteName, site.mark);
      for (const place of [this.sites, this.serving]) place.delete(account.siteName);
      return { outcome: 'ok', value: undefined };
    });
  }
}

const ACTIONS = [
  ...['open', 'pause', 'pause for scan', 'resume', 'resume scan', 'renew', 'expire', 'package', 'stop', 'start', 'password'],
  ...['delete', 'destroy', 'restore', 'purge', 'bind', 'unbind', 'settings', 'certificate', 'no certificate', 'recover'],
] as const;
const OUTCOMES: readonly FakeOutcome[] = ['ok', 'ok', 'refused', 'unreachable', 'applied', 'lost', 'throws'];
const USERS = ['alice01', 'bob0001'] as const;
const step = fc.record({
  action: fc.constantFrom(...ACTIONS),
  user: fc.constantFrom(...USERS),
  outcomes: fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let panel: TestPanel;
const server = new WholeServer().serve();
let rounds = 0;
let certificate: ReadCertificate;

beforeAll(async () => {
  panel = await TestPanel.start();
  const pair = await (await TestAuthority.make()).pair({ names: ['www.example.org'] });
  certificate = readCertificate(pair.key, pair.pem, null);
  panel.get(DriverRegistry).register(server);
  await panel.admin('addbt', { bh: 'whole1', driver: 'whole' });
});
afterAll(() => panel.close());

const rows = () => panel.get(Database).repository(HostingAccount);
const bin = () => panel.get(Database).repository(BinnedSite);

/** A refusal with a message is a response; any other exception is a bug. */
async function answered(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function take({ action, user, outcomes }: Step): Promise<void> {
  const hosting = panel.get(HostingService);
  const name = `${user}${rounds}`;
  const id = (await rows().findOneBy({ userKey: name }))?.id ?? 0;
  const site = () => panel.get(SiteAccess).ofHost(id);
  const kept = (await bin().findOneBy({ userKey: name }))?.id ?? 0;
  server.script = [...outcomes];
  const actions: Record<(typeof ACTIONS)[number], () => Promise<unknown>> = {
    open: () => hosting.provision({ node: 'whole1', user: name, password: 'secret-1', expiresOn: null, domains: 9 }, 'admin'),
    pause: () => hosting.pause(id, 'admin', 'admin'),
    'pause for scan': () => hosting.pause(id, 'scan', 'admin'),
    resume: () => hosting.unpause(id, 'admin', 'admin'),
    'resume scan': () => hosting.unpause(id, 'scan', 'admin'),
    renew: () => hosting.renew(id, '2099-12-31', 'admin'),
    expire: () => hosting.renew(id, null, 'admin'),
    package: () => hosting.setQuota(id, { webMb: 77, domains: 9 }, 'admin'),
    stop: () => hosting.stop(id),
    start: () => hosting.start(id),
    password: () => hosting.changePassword(id, 'secret-2'),
    delete: () => hosting.terminate(id, 'admin'),
    destroy: () => hosting.terminate(id, 'admin', { destroy: true }),
    restore: () => panel.get(BinRestore).restore({ id: kept, password: 'secret-3' }, 'admin'),
    purge: () => panel.get(BinPurge).now(kept),
    bind: async () => panel.get(SiteDomains).bind(await site(), `${name}.example.org`, ''),
    unbind: async () => panel.get(SiteDomains).unbind(await site(), `${name}.example.org`),
    settings: async () => panel.get(WebSettingRepository).change(await site(), () => ({ indexes: ['start.html'] })),
    certificate: async () => {
      const open = await site();
      await panel.get(CertificateRepository).keep(id, certificate, '');
      await panel.get(CertificateRepository).push(open);
    },
    'no certificate': async () => panel.get(SiteCertificateService).remove(await site()),
    recover: () => panel.get(AccountRecovery).recoverUnfinished(),
  };
  await answered(actions[action]());
  server.script = [];
}

/** The server responds again and claims have expired: interrupted changes are completed. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await rows().update({ claimedUntil: Not(IsNull()) }, { claimedUntil: new Date(0) });
    await panel.get(AccountRecovery).recoverUnfinished();
    if ((await rows().countBy({ claimedUntil: Not(IsNull()) })) === 0) break;
  }
  await bin().update({ claimedUntil: Not(IsNull()) }, { claimedUntil: new Date(0) });
  // What a server did, but could not report in time.
  await panel.get(BinPurge).run();
  for (const { id, state } of await rows().find()) if (state === 'active' || state === 'paused') await panel.get(SiteRepair).repair(id);
}

async function agree(): Promise<void> {
  const accounts = await rows().find({ order: { id: 'ASC' } });
  const told = accounts.map(({ siteName, state, siteStopped, webQuotaMb, expiresOn, pauseReasons, claimedUntil }) => ({
    siteName,
    unfinished: claimedUntil !== null || !['active', 'paused'].includes(state) || (state === 'paused') !== pauseReasons.length > 0,
    suspended: state === 'paused',
    // The server may not yet know whether a suspended site will run.
    stopped: state === 'paused' ? null : siteStopped,
    webMb: webQuotaMb,
    expiresOn,
  }));
  const there = accounts.map(({ siteName, state }) => {
    const site = server.sites.get(siteName);
    return (
      site && {
        siteName,
        unfinished: false,
        suspended: site.suspended,
        stopped: state === 'paused' ? null : site.stopped,
        webMb: site.quota.webMb,
        expiresOn: site.expiresOn,
      }
    );
  });
  expect(there).toEqual(told);
  expect([...server.sites.keys()].sort()).toEqual(accounts.map(({ siteName }) => siteName).sort());
  const binned = await bin().find();
  expect([...server.kept.keys()].sort()).toEqual(binned.map(({ siteName }) => siteName).sort());
  for (const { id, siteName, username } of accounts) {
    const { domains, settings, certificate: installed } = server.servingOf(siteName);
    const bound = await panel
      .get(Database)
      .repository(SiteDomain)
      .find({ where: { accountId: id }, order: { id: 'ASC' } });
    expect(domains.map(({ name }) => name).sort()).toEqual(bound.map(({ name }) => name).sort());
    expect(settings).toEqual(await panel.get(WebSettingRepository).of(id));
    expect(installed).toEqual(await panel.get(CertificateRepository).wanted(id));
    expect(await panel.get(HostingService).get(username)).toMatchObject({ id });
  }
  const listed = ((await panel.admin('listzj', { limit: '100' })).rows as unknown as Record<string, string>[])
    .map(({ id }) => Number(id))
    .sort();
  expect(listed).toEqual(accounts.map(({ id }) => id).sort());
}

const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
  rounds += 1;
  server.script = [];
  for (const place of [server.sites, server.kept, server.serving]) place.clear();
  await rows().createQueryBuilder().delete().execute();
  await bin().createQueryBuilder().delete().execute();
  await take({ action: 'open', user: 'alice01', outcomes: [] });
  for (const one of steps) await take(one);
  await settle();
  await agree();
});

it('leaves database, server and responses in agreement', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2_147_483_647);
  process.stdout.write(`seed ${seed}: SEED=${seed} repeats it\n`);
  await fc.assert(property, { seed, numRuns: Number(process.env.RUNS ?? 60), endOnFailure: false, interruptAfterTimeLimit: 40_000 });
}, 120_000);

describe('the same with a server that reports success without doing the work', () => {
  const certain = (...actions: Step['action'][]): Step[] => actions.map((action) => ({ action, user: 'alice01', outcomes: [] }));
  const lie = () => Promise.resolve({ outcome: 'ok', value: undefined } as const);
  const { domains, settings, certificates } = server;

  it.each<[string, () => () => void, Step[]]>([
    ['a domain', () => replaced(domains!, 'apply', lie), certain('bind')],
    ['a setting', () => replaced(settings!, 'apply', lie), certain('settings')],
    ['a certificate', () => replaced(certificates!, 'apply', lie), certain('certificate')],
    ['a pause', () => replaced(server as FakeDriver, 'suspend', lie), certain('pause')],
    ['a day', () => replaced(server as FakeDriver, 'renew', lie), certain('renew')],
    ['a deletion', () => replaced(server as FakeDriver, 'terminate', lie), certain('delete')],
    ['a purge', () => replaced(server.bin, 'purge', lie), certain('delete', 'purge')],
    // A broken step of the panel, not the server: the change is reported, but not stored.
    ['a row', () => replaced(panel.get(DomainRepository), 'wanted', () => Promise.resolve([])), certain('bind')],
  ])('%s is detected', async (_what, begin, steps) => {
    const check = () => fc.check(property, { seed: 1, numRuns: 1, examples: [[steps]], endOnFailure: true });
    const end = begin();
    try {
      expect((await check()).failed).toBe(true);
    } finally {
      end();
    }
    expect((await check()).errorInstance ?? null).toBeNull();
  });
});

/** Replaces a function. @returns a function that restores the original */
function replaced<Owner extends object, Name extends keyof Owner>(owner: Owner, name: Name, other: Owner[Name]): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value: other, configurable: true, writable: true });
  return () => (own ? Object.defineProperty(owner, name, own) : Reflect.deleteProperty(owner, name));
}
