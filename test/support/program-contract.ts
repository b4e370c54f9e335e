import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { expect } from 'vitest';

import {
  callDriver,
  type DatabasePort,
  type DriverAccount,
  type DriverResult,
  type HostDriver,
  MAX_COMMANDS,
  type ScheduledCommand,
} from '../../src/hosting/index.js';

const DUMP = 'CREATE TABLE `brought` (`id` int NOT NULL);\nINSERT INTO `brought` VALUES (1);\n';

type Call<Value> = (deadline: AbortSignal) => Promise<DriverResult<Value>>;

const ask = <Value>(work: Call<Value>): Promise<DriverResult<Value>> => callDriver(work, 20_000);
const turn = () => ({ id: 'contract', signal: AbortSignal.timeout(20_000), progress: () => undefined });
const valueOf = <Value>(result: DriverResult<Value>): Value => {
  if (!('value' in result)) throw new Error(`A call ended with ${JSON.stringify(result)}.`);
  return result.value;
};

/** Checks of drivers whose sites run programs: PHP, a database, and file access without the panel. */
export class ProgramContract {
  private readonly stranger: DriverAccount;

  constructor(
    private readonly driver: HostDriver,
    private readonly account: DriverAccount,
  ) {
    this.stranger = { ...account, ownerMark: 'host:0:another' };
  }

  /** Checks that a site runs an installed PHP version, and can change to another, but not to a missing one. */
  async php(): Promise<void> {
    const { account, stranger } = this;
    const php = this.driver.php!;
    const versions = valueOf(await ask((deadline) => php.versions(account.node, deadline)));
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) expect(version).toMatch(/^\d{2,3}$/);
    const current = () => ask((deadline) => php.current(account, deadline));
    expect([...versions, '']).toContain(valueOf(await current()));
    for (const version of versions) {
      expect(['ok', 'already']).toContain((await ask((deadline) => php.use(account, version, deadline))).outcome);
      expect((await ask((deadline) => php.use(account, version, deadline))).outcome).toBe('already');
      expect(valueOf(await current())).toBe(version);
    }
    for (const wrong of ['11', '82; reboot', '../82', ''])
      expect([wrong, await ask((deadline) => php.use(account, wrong, deadline))]).toMatchObject([wrong, { outcome: 'refused' }]);
    expect(await ask((deadline) => php.use(account, '11', deadline))).toMatchObject({ problem: { code: 'PHP_MISSING' } });
    expect((await ask((deadline) => php.use(stranger, versions[0]!, deadline))).outcome).toBe('refused');
    expect((await ask((deadline) => php.current(stranger, deadline))).outcome).toBe('refused');
  }

  /** Checks that a site accepts rewrite rules; rules the server rejects are refused and the present ones stay. */
  async rewrites(): Promise<void> {
    const { account, stranger } = this;
    const apply = (rules: string, to = account) => ask((deadline) => this.driver.rewrites!.apply(to, rules, deadline));
    const rules = 'location / { try_files $uri $uri/ /index.php?$args; }';
    expect((await apply(rules)).outcome).toBe('ok');
    for (const wrong of ['location / { root /etc; }', 'root /;'])
      expect(await apply(wrong)).toMatchObject({ outcome: 'refused', problem: { code: 'RULE' } });
    expect((await apply(rules)).outcome).toBe('already');
    expect((await apply(rules, stranger)).outcome).toBe('refused');
    expect((await apply('')).outcome).toBe('ok');
  }

  /** Checks that a site has its own database, whose backups can be created, read, restored and removed, and are inaccessible to others. */
  async database(): Promise<void> {
    const { account, stranger } = this;
    const port = this.driver.database!;
    const found = valueOf(await ask((deadline) => port.find(account, deadline)));
    expect(found.name).not.toBe('');
    expect(found.username).not.toBe('');
    for (const addresses of [['192.0.2.7'], ['%'], []]) {
      expect(['ok', 'already']).toContain((await ask((deadline) => port.allow(account, addresses, deadline))).outcome);
      expect(valueOf(await ask((deadline) => port.find(account, deadline))).addresses).toEqual(addresses);
    }
    for (const wrong of [['localhost; drop'], ["1.2.3.4' or '1"], ['%', '192.0.2.7']]) {
      const problem = { code: 'DATABASE_ACCESS', params: { addresses: wrong[0] } };
      expect(await ask((deadline) => port.allow(account, wrong, deadline))).toMatchObject({ problem });
    }
    expect(['ok', 'already']).toContain((await ask((deadline) => port.changePassword(account, 'secret-9.x', deadline))).outcome);
    const made = valueOf(await ask(() => port.backUp(account, turn())));
    const listed = valueOf(await ask((deadline) => port.backups(account, deadline)));
    expect(listed.map(({ id }) => id)).toEqual([made.id]);
    const opened = valueOf(await ask((deadline) => port.openBackup(account, made.id, deadline)));
    expect(await buffer(opened.content)).toHaveLength(opened.size);
    expect((await ask(() => port.restore(account, made.id, turn()))).outcome).toBe('ok');
    for (const id of ['nothing', '../../etc/passwd', '']) {
      const gone = await ask((deadline) => port.openBackup(account, id, deadline));
      expect([id, gone]).toMatchObject([id, { outcome: 'refused', problem: { code: 'DATABASE_BACKUP_GONE' } }]);
      const run = await ask(() => port.restore(account, id, turn()));
      expect([id, run]).toMatchObject([id, { outcome: 'refused', problem: { code: 'DATABASE_BACKUP_GONE' } }]);
    }
    for (const path of ['/../../etc/passwd', '/none.sql', '/index.html'])
      expect([path, (await ask(() => port.run(account, path, turn()))).outcome]).toEqual([path, 'refused']);
    for (const bytes of [Buffer.from(DUMP), gzipSync(DUMP)]) expect((await this.load(port, account, bytes)).outcome).toBe('ok');
    await this.strangers([
      () => this.load(port, stranger, Buffer.from(DUMP)),
      (deadline) => port.find(stranger, deadline),
      (deadline) => port.changePassword(stranger, 'stolen-1.x', deadline),
      (deadline) => port.backups(stranger, deadline),
      () => port.backUp(stranger, turn()),
      (deadline) => port.openBackup(stranger, made.id, deadline),
      () => port.restore(stranger, made.id, turn()),
      (deadline) => port.removeBackup(stranger, made.id, deadline),
    ]);
    expect((await ask((deadline) => port.removeBackup(account, made.id, deadline))).outcome).toBe('ok');
    expect(['already', 'not_found']).toContain((await ask((deadline) => port.removeBackup(account, made.id, deadline))).outcome);
    expect(valueOf(await ask((deadline) => port.backups(account, deadline)))).toEqual([]);
  }

  private load(port: DatabasePort, account: DriverAccount, bytes: Buffer): Promise<DriverResult<void>> {
    return ask(() => port.load!(account, { size: bytes.length, open: () => Promise.resolve(Readable.from([bytes])) }, turn()));
  }

  /** Checks that the owner's file access can be enabled and disabled, and only for the own site. */
  async access(): Promise<void> {
    const { account, stranger, driver } = this;
    const port = driver.access!;
    const isEnabled = async () => valueOf(await ask((deadline) => port.find(account, deadline))).enabled;
    expect(await isEnabled()).toBe(true);
    for (const enabled of [false, true]) {
      expect((await ask((deadline) => port.enable(account, enabled, deadline))).outcome).toBe('ok');
      expect((await ask((deadline) => port.enable(account, enabled, deadline))).outcome).toBe('already');
      expect(await isEnabled()).toBe(enabled);
    }
    await this.strangers([(deadline) => port.find(stranger, deadline), (deadline) => port.enable(stranger, false, deadline)]);
  }

  /** Checks that a site has its own commands, which can be run, with known results. */
  async commands(): Promise<void> {
    const { account, stranger, driver } = this;
    const port = driver.commands!;
    const listed = async () => valueOf(await ask((deadline) => port.list(account, deadline)));
    const put = (command: ScheduledCommand) => ask((deadline) => port.put(account, command, deadline));
    const one: ScheduledCommand = {
      id: 'c1',
      schedule: '*/5 3 * * 1-5',
      argv: ['echo', '$HOME', '; id'],
      folder: '',
      seconds: 20,
      enabled: false,
    };
    expect(await listed()).toMatchObject({ commands: [], zone: expect.stringMatching(/./) as string });
    expect((await put(one)).outcome).toBe('ok');
    expect((await put(one)).outcome).toBe('already');
    expect((await put({ ...one, seconds: 30 })).outcome).toBe('ok');
    expect((await listed()).commands).toEqual([{ ...one, seconds: 30, last: null }]);
    const ran = valueOf(await ask(() => port.run(account, 'c1', turn())));
    expect(ran).toMatchObject({ exit: 0, output: '$HOME ; id\n' });
    expect((await put({ ...one, argv: ['no-such-program-here'] })).outcome).toBe('ok');
    expect(valueOf(await ask(() => port.run(account, 'c1', turn())))).toMatchObject({ exit: 127 });
    const runs = valueOf(await ask((deadline) => port.runs(account, 'c1', deadline)));
    expect(runs.map(({ exit }) => exit)).toEqual([127, 0]);
    expect((await listed()).commands[0]!.last).toEqual({ began: runs[0]!.began, seconds: runs[0]!.seconds, exit: 127 });
    expect(await put({ ...one, schedule: '99 * * * *' })).toMatchObject({ outcome: 'refused', problem: { code: 'COMMAND_SCHEDULE' } });
    for (let n = 2; n <= MAX_COMMANDS; n++) expect((await put({ ...one, id: `c${n}` })).outcome).toBe('ok');
    expect(await put({ ...one, id: 'more' })).toMatchObject({ outcome: 'refused', problem: { code: 'COMMAND_LIMIT' } });
    expect((await put({ ...one, id: 'c2', enabled: true })).outcome).toBe('ok');
    expect(await ask(() => port.run(account, 'none', turn()))).toMatchObject({ outcome: 'refused', problem: { code: 'COMMAND_MISSING' } });
    await this.strangers([
      (deadline) => port.list(stranger, deadline),
      (deadline) => port.put(stranger, one, deadline),
      (deadline) => port.remove(stranger, 'c1', deadline),
      () => port.run(stranger, 'c1', turn()),
      (deadline) => port.runs(stranger, 'c1', deadline),
    ]);
    expect((await ask((deadline) => port.remove(account, 'c1', deadline))).outcome).toBe('ok');
    expect(['already', 'not_found']).toContain((await ask((deadline) => port.remove(account, 'c1', deadline))).outcome);
    expect((await listed()).commands.map(({ id }) => id)).not.toContain('c1');
    expect(valueOf(await ask((deadline) => port.runs(account, 'c1', deadline)))).toEqual([]);
  }

  private async strangers(calls: readonly Call<unknown>[]): Promise<void> {
    for (const call of calls) expect((await ask(call)).outcome).toBe('refused');
  }
}
