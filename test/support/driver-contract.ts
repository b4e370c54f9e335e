import { describe, expect, it } from 'vitest';

import { TestAuthority } from './certificates.js';
import { FileContract } from './file-contract.js';
import { ProgramContract } from './program-contract.js';

import {
  callDriver,
  DEFAULT_WEB_SETTINGS,
  type DriverAccount,
  type DriverCertificate,
  type DriverNode,
  type DriverResult,
  type HostDriver,
  portsOf,
  type RemotePage,
  type RemoteSite,
  type SiteSpecification,
} from '../../src/hosting/index.js';

/** Driver under test, and a server of its kind. */
export interface ContractedDriver {
  readonly driver: HostDriver;
  readonly node: DriverNode;
  /** Returns the local path of a site's web root; undefined if files can only be created through the driver. */
  readonly webRoot?: (account: DriverAccount) => string;
}

/** Parts of the contract, in the order of the table. */
export const CONTRACT = [
  'life cycle',
  'list',
  'adoption',
  'deadline',
  'domains',
  'settings',
  'certificates',
  'traffic',
  'bin',
  'files',
  'backups',
  'statistics',
  'php',
  'database',
  'access',
  'commands',
  'rewrites',
] as const;
type Part = (typeof CONTRACT)[number];

/** Parts of the contract that a driver passed. */
export type KeptParts = Set<Part>;

/** Defines the tests that every driver must pass. They create sites named `contract.…` and delete them. */
export function driverContract(name: string, start: () => Promise<ContractedDriver>, kept: KeptParts): void {
  describe(`the driver ${name}`, () => {
    let counter = 0;
    const site = (node: DriverNode, more: Partial<SiteSpecification> = {}): SiteSpecification => {
      counter += 1;
      const siteName = `contract.${process.pid}.${counter}`;
      return {
        node,
        username: `contract${counter}`,
        siteName,
        siteId: '',
        ownerMark: `host:${counter}:${siteName}`,
        password: 'secret-1',
        quota: { webMb: 10, databaseMb: 0, trafficGb: 0, domains: 0 },
        expiresOn: null,
        ...more,
      };
    };
    const call = <Value>(work: (deadline: AbortSignal) => Promise<DriverResult<Value>>): Promise<DriverResult<Value>> => callDriver(work);
    const outcome = async (work: (deadline: AbortSignal) => Promise<DriverResult<unknown>>): Promise<string> => (await call(work)).outcome;
    const stands = async (driver: HostDriver, account: DriverAccount): Promise<string | [boolean, boolean]> => {
      const found = await call((deadline) => driver.sync(account, deadline));
      return found.outcome === 'ok' || found.outcome === 'already' ? [found.value.running, found.value.suspended] : found.outcome;
    };
    const end = async (driver: HostDriver, account: DriverAccount): Promise<void> => {
      await call((deadline) => driver.terminate(account, deadline));
      const { bin } = driver;
      if (bin) await call((deadline) => bin.purge(account, deadline));
    };
    /** Creates a site, runs the test with it, and removes it. */
    const withSite =
      (part: Part, needs: keyof HostDriver | null, work: (driver: HostDriver, made: SiteSpecification) => Promise<void>) => async () => {
        const { driver, node } = await start();
        if (needs !== null && driver[needs] === undefined) return;
        const wanted = site(node);
        const made = await call((deadline) => driver.create(wanted, deadline));
        expect(made.outcome).toBe('ok');
        const account = { ...wanted, siteId: 'value' in made ? made.value.siteId : '' };
        try {
          await work(driver, account);
          kept.add(part);
        } finally {
          await end(driver, account);
        }
      };

    it('answers to a probe', async () => {
      const { driver, node } = await start();
      const probe = await call((deadline) => driver.probe(node, deadline));
      expect(probe).toMatchObject({
        outcome: 'ok',
        value: { version: expect.any(String) as string, system: expect.any(String) as string },
      });
    });

    it(
      'makes a site once for one owner, and none of another’s name',
      withSite('life cycle', null, async (driver, account) => {
        const again = await call((deadline) => driver.create(account, deadline));
        expect(again).toEqual({ outcome: 'already', value: { siteId: account.siteId } });
        const other = { ...account, ownerMark: 'host:0:another' };
        expect(await outcome((deadline) => driver.create(other, deadline))).toBe('refused');
        expect(await stands(driver, account)).toEqual([true, false]);
      }),
    );

    it(
      'does everything twice, and says the second time that it was so',
      withSite('life cycle', null, async (driver, account) => {
        const steps: [string, (deadline: AbortSignal) => Promise<DriverResult>, [boolean, boolean]][] = [
          ['stop', (deadline) => driver.stop(account, deadline), [false, false]],
          ['start', (deadline) => driver.start(account, deadline), [true, false]],
          ['suspend', (deadline) => driver.suspend(account, 'contract', deadline), [false, true]],
          ['unsuspend, stopped', (deadline) => driver.unsuspend(account, 'stopped', deadline), [false, false]],
          ['unsuspend, running', (deadline) => driver.unsuspend(account, 'running', deadline), [true, false]],
        ];
        for (const [step, run, after] of steps) {
          expect([step, await outcome(run)]).toEqual([step, 'ok']);
          expect([step, await outcome(run)]).toEqual([step, 'already']);
          expect([step, await stands(driver, account)]).toEqual([step, after]);
        }
        for (const run of [
          (deadline: AbortSignal) => driver.renew(account, '2099-12-31', deadline),
          (deadline: AbortSignal) => driver.changeQuota(account, { webMb: 20, databaseMb: 0, trafficGb: 0, domains: 0 }, deadline),
          (deadline: AbortSignal) => driver.changePassword(account, 'secret-2', deadline),
        ])
          for (let turn = 0; turn < 2; turn += 1) expect(['ok', 'already']).toContain(await outcome(run));
      }),
    );

    it(
      'does nothing to a site that carries another owner’s mark',
      withSite('life cycle', null, async (driver, account) => {
        const other = { ...account, ownerMark: 'host:0:another' };
        for (const run of [
          (deadline: AbortSignal) => driver.suspend(other, 'contract', deadline),
          (deadline: AbortSignal) => driver.stop(other, deadline),
          (deadline: AbortSignal) => driver.changePassword(other, 'stolen-1', deadline),
          (deadline: AbortSignal) => driver.terminate(other, deadline),
          (deadline: AbortSignal) => driver.sync(other, deadline) as Promise<DriverResult<unknown>>,
        ])
          expect(await outcome(run)).toBe('refused');
        expect(await stands(driver, account)).toEqual([true, false]);
      }),
    );

    it(
      'deletes a site, and says of one that is gone that it is',
      withSite('life cycle', null, async (driver, account) => {
        expect(await outcome((deadline) => driver.terminate(account, deadline))).toBe('ok');
        expect(await outcome((deadline) => driver.terminate(account, deadline))).toBe('not_found');
        expect(await stands(driver, account)).toBe('not_found');
        for (const run of [
          (deadline: AbortSignal) => driver.suspend(account, 'contract', deadline),
          (deadline: AbortSignal) => driver.start(account, deadline),
          (deadline: AbortSignal) => driver.renew(account, null, deadline),
        ])
          expect(await outcome(run)).toBe('not_found');
      }),
    );

    it(
      'hands a site over to another account, once, and only as it was seen',
      withSite('adoption', 'adopt', async (driver, account) => {
        const taken = { ...account, ownerMark: `${account.ownerMark}:new`, username: 'adopter' };
        const from = { siteName: account.siteName, siteId: account.siteId, username: account.username, running: true, suspended: false };
        const adopt = (mark: string, by: SiteSpecification = taken) =>
          outcome((deadline) => driver.adopt!(by, { ...from, ownerMark: mark }, deadline));
        try {
          expect(await outcome((deadline) => driver.stop(account, deadline))).toBe('ok');
          // The site's mark has changed since the caller listed it.
          expect(await adopt('host:0:another')).toBe('refused');
          expect(await adopt(account.ownerMark)).toBe('ok');
          expect(await adopt(account.ownerMark)).toBe('already');
          expect(await adopt(account.ownerMark, { ...taken, ownerMark: 'host:0:late' })).toBe('refused');
          expect([await stands(driver, taken), await stands(driver, account)]).toEqual([[true, false], 'refused']);
          const nowhere = { ...taken, siteName: `${account.siteName}.none` };
          expect(await adopt(account.ownerMark, nowhere)).toBe('not_found');
        } finally {
          await end(driver, taken);
        }
      }),
    );

    it(
      'lists every site once, page after page, in a stable order',
      withSite('list', null, async (driver, account) => {
        const more = [site(account.node), site(account.node), site(account.node)];
        try {
          for (const one of more) await call((deadline) => driver.create(one, deadline));
          const walk = async (): Promise<RemoteSite[]> => {
            const found: RemoteSite[] = [];
            for (let cursor: string | null = null, pages = 0; pages < 1_000; pages += 1) {
              const from: string | null = cursor;
              const page: DriverResult<RemotePage> = await call((deadline) => driver.list(account.node, from, deadline));
              if (!('value' in page)) throw new Error(`list ended with ${page.outcome}`);
              found.push(...page.value.sites);
              if (page.value.next === null) return found;
              expect(page.value.next).not.toBe(cursor);
              cursor = page.value.next;
            }
            throw new Error('The list does not end.');
          };
          const sites = await walk();
          expect(await walk()).toEqual(sites);
          expect(new Set(sites.map(({ siteName }) => siteName)).size).toBe(sites.length);
          const listed = sites.filter(({ siteName }) => siteName.startsWith(`contract.${process.pid}.`));
          expect(new Map(listed.map(({ siteName, ownerMark }) => [siteName, ownerMark]))).toEqual(
            new Map([account, ...more].map(({ siteName, ownerMark }) => [siteName, ownerMark])),
          );
          expect(listed.every(({ running, suspended }) => running && !suspended)).toBe(true);
        } finally {
          for (const one of more) await end(driver, one);
        }
      }),
    );

    it(
      'settles although nobody waits any more, and does nothing half',
      withSite('deadline', null, async (driver, account) => {
        const over = AbortSignal.abort();
        await call(() => driver.suspend(account, 'contract', over));
        const found = await stands(driver, account);
        expect([
          [true, false],
          [false, true],
        ]).toContainEqual(found);
        await call(() => driver.sync(account, over));
        await call(() => driver.list(account.node, null, over));
      }),
    );

    it(
      'has the domains it is told, as a whole',
      withSite('domains', 'domains', async (driver, account) => {
        const { apply } = driver.domains!;
        const [a, b] = [
          { name: 'a.contract.example', folder: '' },
          { name: '*.contract.example', folder: 'all' },
        ];
        for (const wanted of [[a], [a, b], [b], []]) {
          expect(['ok', 'already']).toContain(await outcome((deadline) => apply.call(driver.domains, account, wanted, deadline)));
          expect(await outcome((deadline) => apply.call(driver.domains, account, wanted, deadline))).toBe('already');
          const { matches } = driver.domains!;
          if (!matches) continue;
          expect(await call((deadline) => matches(account, wanted, deadline))).toMatchObject({ value: true });
          const other = [...wanted, { name: 'other.contract.example', folder: '' }];
          expect(await call((deadline) => matches(account, other, deadline))).toMatchObject({ value: false });
        }
        const gone = { ...account, siteName: `${account.siteName}x` };
        expect(['not_found', 'already']).toContain(await outcome((deadline) => apply.call(driver.domains, gone, [a], deadline)));
      }),
    );

    it(
      'serves a site as it is told',
      withSite('settings', 'settings', async (driver, account) => {
        const { apply } = driver.settings!;
        for (const wanted of [DEFAULT_WEB_SETTINGS, { ...DEFAULT_WEB_SETTINGS, indexes: ['start.html'] }, DEFAULT_WEB_SETTINGS]) {
          expect(['ok', 'already']).toContain(await outcome((deadline) => apply.call(driver.settings, account, wanted, deadline)));
          expect(await outcome((deadline) => apply.call(driver.settings, account, wanted, deadline))).toBe('already');
          const { matches } = driver.settings!;
          if (!matches) continue;
          expect(await call((deadline) => matches(account, wanted, deadline))).toMatchObject({ value: true });
          const other = { ...wanted, runFolder: 'other' };
          expect(await call((deadline) => matches(account, other, deadline))).toMatchObject({ value: false });
        }
      }),
    );

    it(
      'installs the certificate it is told, or none, and shows what an authority asks for, as a whole',
      withSite('certificates', 'certificates', async (driver, account) => {
        const port = driver.certificates!;
        const authority = await TestAuthority.make();
        const names = ['a.contract.example'];
        const [first, second] = [await authority.pair({ names }), await authority.pair({ names })].map(
          ({ key, pem }): DriverCertificate => ({ names, key, chain: pem + authority.between, forceHttps: false }),
        );
        const stranger = { ...account, ownerMark: 'host:0:another' };
        for (const wanted of [first!, { ...first!, forceHttps: true }, second!, null]) {
          expect(['ok', 'already']).toContain(await outcome((deadline) => port.apply(account, wanted, deadline)));
          expect(await outcome((deadline) => port.apply(account, wanted, deadline))).toBe('already');
          expect(['refused', 'already']).toContain(await outcome((deadline) => port.apply(stranger, wanted ? null : first!, deadline)));
          if (!port.matches) continue;
          expect(await call((deadline) => port.matches!(account, wanted, deadline))).toMatchObject({ value: true });
          expect(await call((deadline) => port.matches!(account, wanted ? null : first!, deadline))).toMatchObject({ value: false });
        }
        const proofs = ['one', 'two'].map((token) => ({ name: names[0]!, token, answer: `${token}.print` }));
        for (const wanted of [proofs, proofs.slice(1), []]) {
          expect(['ok', 'already']).toContain(await outcome((deadline) => port.prove(account, wanted, deadline)));
          expect(await outcome((deadline) => port.prove(account, wanted, deadline))).toBe('already');
        }
        const gone = { ...account, siteName: `${account.siteName}x` };
        expect(['not_found', 'already']).toContain(await outcome((deadline) => port.apply(gone, first!, deadline)));
      }),
    );

    it(
      'counts the traffic of a month, 0 for one that was not',
      withSite('traffic', 'traffic', async (driver, account) => {
        expect(await call((deadline) => driver.traffic!.ofMonth(account, '2000-01', deadline))).toEqual({ outcome: 'ok', value: 0 });
      }),
    );

    it(
      'keeps what was deleted until it is restored or purged, and gives it to nobody else',
      withSite('bin', 'bin', async (driver, account) => {
        const bin = driver.bin!;
        await call((deadline) => driver.terminate(account, deadline));
        expect(await call((deadline) => bin.has(account, deadline))).toMatchObject({ value: true });
        const next = site(account.node);
        try {
          await call((deadline) => driver.create(next, deadline));
          const stranger = { ...account, ownerMark: 'host:0:another' };
          expect(await outcome((deadline) => bin.restore(stranger, next, deadline))).toBe('refused');
          expect(await outcome((deadline) => bin.purge(stranger, deadline))).toBe('refused');
          expect(await outcome((deadline) => bin.restore(account, next, deadline))).toBe('ok');
          expect(await outcome((deadline) => bin.restore(account, next, deadline))).toBe('already');
          expect(await call((deadline) => bin.has(account, deadline))).toMatchObject({ value: false });
          expect(await stands(driver, next)).toEqual([true, false]);
          await call((deadline) => driver.terminate(next, deadline));
          expect(await outcome((deadline) => bin.purge(next, deadline))).toBe('ok');
          expect(await outcome((deadline) => bin.purge(next, deadline))).toBe('not_found');
        } finally {
          await end(driver, next);
        }
      }),
    );

    it(
      'lets nobody out of a site by a path, and keeps a file whole',
      withSite('files', 'files', async (driver, account) => {
        const files = driver.files!;
        const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
        const none = { ...space, take: () => Promise.resolve(false), fits: () => Promise.resolve(false) };
        const write = (path: string, text: string, isNew: boolean, version?: string, meter = space) =>
          call((deadline) => files.write(account, { path, bytes: Buffer.from(text), isNew, version }, meter, deadline));
        const first = await write('/Note.txt', 'one', true);
        expect(first.outcome).toBe('ok');
        expect(await write('/Note.txt', 'two', true)).toMatchObject({ outcome: 'refused', problem: { code: 'TAKEN' } });
        expect(await write('/full.txt', 'two', true, undefined, none)).toMatchObject({ outcome: 'refused', problem: { code: 'NO_SPACE' } });
        const version = 'value' in first ? first.value.version : '';
        expect((await write('/Note.txt', 'two', false, version)).outcome).toBe('ok');
        expect(await write('/Note.txt', 'three', false, version)).toMatchObject({ outcome: 'refused', problem: { code: 'CHANGED' } });
        const read = await call((deadline) => files.read(account, '/Note.txt', 100, deadline));
        expect('value' in read && read.value.bytes.toString()).toBe('two');
        expect(await call((deadline) => files.read(account, '/Note.txt', 1, deadline))).toMatchObject({ problem: { code: 'TOO_LARGE' } });
        for (const path of ['/../x', '/a/../../x', '/..', '/%2e%2e/x\0', '/a//..//x', '/./x', '/..\\x']) {
          expect([path, (await write(path, 'out', true)).outcome]).toEqual([path, 'refused']);
          expect([path, (await call((deadline) => files.read(account, path, 100, deadline))).outcome]).toEqual([path, 'refused']);
          expect([path, await outcome((deadline) => files.discard(account, [path], deadline))]).not.toEqual([path, 'unknown']);
        }
        expect(await outcome((deadline) => files.makeFolder(account, '/sub', deadline))).toBe('ok');
        const into = { from: '/', names: ['sub'], to: '/sub' };
        expect(await outcome((deadline) => files.move(account, into, deadline))).toBe('refused');
        expect(await outcome((deadline) => files.discard(account, ['/Note.txt'], deadline))).toBe('ok');
        const trash = await call((deadline) => files.trash(account, 0, 10, deadline));
        const [lost] = 'value' in trash ? trash.value.entries : [];
        expect(lost).toMatchObject({ path: '/Note.txt', type: 'file', size: 3 });
        const back = await call((deadline) => files.restore(account, [lost!.id], deadline));
        expect(back).toMatchObject({ outcome: 'ok', value: ['/Note.txt'] });
        const other = { ...account, ownerMark: 'host:0:another' };
        expect(await outcome((deadline) => files.read(other, '/Note.txt', 100, deadline))).toBe('refused');
      }),
    );

    it('follows no link, waits for no pipe, and puts no file in the place of one whose name differs in case', async () => {
      const { webRoot } = await start();
      await withSite('files', 'files', async (driver, account) => {
        const contract = new FileContract(driver.files!, account);
        await contract.caseOfNames();
        await contract.specialInArchives();
        if (webRoot) await contract.plantedSpecials(webRoot(account));
      })();
    }, 60_000);

    it(
      'keeps an archive of a site, puts it back wholly, and takes no other for it',
      withSite('backups', 'backups', async (driver, account) => {
        const [backups, files] = [driver.backups!, driver.files!];
        const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
        const turn = { id: 'contract', signal: AbortSignal.timeout(30_000), progress: () => undefined };
        const write = (text: string, isNew: boolean) =>
          call((deadline) => files.write(account, { path: '/kept.txt', bytes: Buffer.from(text), isNew }, space, deadline));
        const read = () => call((deadline) => files.read(account, '/kept.txt', 100, deadline));
        await write('before', true);
        const name = `${account.siteName}-1.tar.gz`;
        const made = await call(() => backups.make(account, { name }, turn));
        if (!('value' in made)) throw new Error(`make ended with ${made.outcome}`);
        const { size, sha256, content } = made.value;
        try {
          await write('after', false);
          const other = { name, size, sha256: 'a'.repeat(64), content };
          expect(await call(() => backups.restore(account, other, space, turn))).toMatchObject({ problem: { code: 'BACKUP_DAMAGED' } });
          const stranger = { ...account, ownerMark: 'host:0:another' };
          expect(await outcome(() => backups.restore(stranger, { name, size, sha256, content }, space, turn))).toBe('refused');
          expect(await read()).toMatchObject({ value: { bytes: Buffer.from('after') } });
          expect(await outcome(() => backups.restore(account, { name, size, sha256, content }, space, turn))).toBe('ok');
          expect(await read()).toMatchObject({ value: { bytes: Buffer.from('before') } });
          const opened = await call((deadline) => backups.open(account, name, deadline, 10));
          if (!('value' in opened)) throw new Error(`open ended with ${opened.outcome}`);
          const { from } = opened.value;
          expect([opened.value.size, from <= 10]).toEqual([size, true]);
          expect(Buffer.concat(await opened.value.content.toArray())).toHaveLength(size - from);
          const gone = await call((deadline) => backups.open(account, `${account.siteName}-2.tar.gz`, deadline, 0));
          expect(gone).toMatchObject({ problem: { code: 'BACKUP_GONE' } });
        } finally {
          expect(await outcome((deadline) => backups.remove(account, name, deadline))).toBe('ok');
          expect(['ok', 'already', 'not_found']).toContain(await outcome((deadline) => backups.remove(account, name, deadline)));
        }
      }),
    );

    it(
      'has nothing to tell of a site nobody visited, and no log of a day there is none of',
      withSite('statistics', 'statistics', async (driver, account) => {
        const statistics = driver.statistics!;
        const first = await call((deadline) => statistics.read(account, '', deadline));
        if (!('value' in first)) throw new Error(`read ended with ${first.outcome}`);
        expect(first.value.text).toBe('');
        expect(await call((deadline) => statistics.read(account, first.value.next, deadline))).toMatchObject({ value: first.value });
        expect(await call((deadline) => statistics.last(account, 10, deadline))).toMatchObject({ value: [] });
        expect(await call((deadline) => statistics.days(account, deadline))).toMatchObject({ value: [] });
        for (const day of ['2000-01-01', '../../etc', '']) {
          const opened = await outcome((deadline) => statistics.open(account, day, deadline));
          expect([day, ['not_found', 'refused'].includes(opened)]).toEqual([day, true]);
        }
      }),
    );

    for (const part of ['php', 'database', 'access', 'commands', 'rewrites'] as const)
      it(
        `keeps to the contract of its ${part}`,
        withSite(part, part, (driver, account) => new ProgramContract(driver, account)[part]()),
        30_000,
      );

    it('says what it can, and no more', async () => {
      const { driver } = await start();
      for (const port of portsOf(driver)) expect(driver.capabilities).toContain(port);
      for (const basic of driver.basics) expect(driver.capabilities).toContain(basic);
    });
  });
}

/** Returns the result table: a row for each driver, a column for each part of the contract. */
export function contractTable(drivers: ReadonlyMap<string, KeptParts>): string {
  const head = `| driver | ${CONTRACT.join(' | ')} |\n|---|${CONTRACT.map(() => '---|').join('')}`;
  const lines = [...drivers].map(
    ([name, kept]) => `| \`${name}\` | ${CONTRACT.map((part) => (kept.has(part) ? 'yes' : '–')).join(' | ')} |`,
  );
  return [head, ...lines].join('\n');
}
