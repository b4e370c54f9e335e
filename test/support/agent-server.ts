import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Clock } from '../../src/common/index.js';
import { AppConfig } from '../../src/config/index.js';
import { type ActionArgs, type ActionName, type ActionResult, AgentNode } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';
import {
  type BackupsPort,
  DriverRegistry,
  type DriverAccount,
  type DriverNode,
  type DriverResult,
  type FilesPort,
  HostingNode,
  type SpaceMeter,
  type StatisticsPort,
  type TrafficPort,
} from '../../src/hosting/index.js';
import { EmbeddedBackups, EmbeddedDriver, EmbeddedFiles, SiteAreas, SiteFolders } from '../../src/hosting/embedded/index.js';

import { createAgentNode } from './agent.js';
import { type ActionHandler, AgentRefusal, AlreadySo, FakeAgent, type TakenAction } from './fake-agent.js';
import type { TestPanel } from './panel.js';

/** State of a site on a fake server, apart from its files. */
export interface Kept {
  domains: ActionArgs<'domains.apply'>['domains'];
  settings: unknown;
  certificate: unknown;
  proofs: unknown;
  rewrites: unknown;
  php: string | null;
  sftp: { enabled: boolean; password: string | null; keys: number };
  commands: Command[];
  runs: Map<string, Run[]>;
  /** Operations on its database: `clear`, and the names of backups and files whose SQL was run. */
  ran: string[];
  database: {
    password: string;
    hosts: readonly string[];
    archives: { name: string; size: number; madeAt: number }[];
    content?: string;
  } | null;
}

type Command = ActionArgs<'commands.put'>['command'];
type Run = ActionResult<'commands.run'>;

type Handlers = {
  readonly [Name in ActionName]?: (account: DriverAccount, args: ActionArgs<Name>, action: TakenAction) => Promise<unknown>;
};
type Handler = (account: DriverAccount, args: unknown, action: TakenAction) => Promise<unknown>;

/** Adds a server of kind `agent` to a panel and starts its fake agent in this process. */
export function startFakeServer(panel: TestPanel, code: string, server: FakeServer): Promise<FakeAgent> {
  return joinFakeServer(panel.get(Database), () => panel.url, code, server);
}

/** Like {@link startFakeServer}, for a panel in another process. */
export async function joinFakeServer(database: Database, url: () => string, code: string, server: FakeServer): Promise<FakeAgent> {
  const node = await createAgentNode(database, `agent-${code}`, { platformSecret: 'platform' });
  const { id: _, ...common } = await database.repository(HostingNode).findOneByOrFail({ id: node.hostingNodeId! });
  const own = await database.repository(HostingNode).save({ ...common, code, codeKey: code, driver: 'agent' });
  await database.repository(AgentNode).update(node.id, { hostingNodeId: own.id });
  const secrets = { platformSecret: 'platform', nodeSecret: node.secret };
  return new FakeAgent(url, node.nodeId, secrets, server.handle).start();
}

/** Failure of an action: a program failed, a program is missing, the site is suspended, or the outcome is unknown. */
type Failure = 'refused' | 'absent' | 'suspended' | 'unknown';
const FAILURES = { refused: 'PROGRAM', absent: 'MISSING_PROGRAM', suspended: 'SUSPENDED' } as const;

const UNUSED = { domains: [], certificate: null, proofs: [], rewrites: '' };
/** Node under which fake servers store their sites. */
export const FAKE_NODE: DriverNode = { code: 'fake', address: '', port: 0, secure: false, panelKey: '', settings: {} };
/** Day for which sites have a log. */
export const LOG_DAY = '2026-01-02';

/**
 * Fake server behind a {@link FakeAgent}: its sites are folders of this machine, managed by the embedded driver, and Debian's programs are
 * replaced by records of their calls. Links, archives and uploads are handled by the real code.
 */
export class FakeServer {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'svc-server-'));
  /** Returns how an action fails; null: it succeeds. */
  fail: ((action: ActionName) => Failure | null) | null = null;
  /** Awaited before each action, with the user of its site; empty for an action on the server. */
  seen: ((action: ActionName, user: string) => Promise<void>) | null = null;
  /** Awaited after each action, before it is reported. */
  done: ((action: ActionName, user: string) => Promise<void>) | null = null;
  /** Names of sites whose logs have grown. */
  grown: string[] = [];
  /** Log of each site for {@link LOG_DAY}; null: empty. */
  log: string | null = null;
  /** The log of its agent. */
  readonly agentLog = { level: 'INFO' as ActionArgs<'agentlog.level'>['level'], text: 'one line\n' };
  /** Awaited before SQL or a command runs. */
  wait: Promise<void> | null = null;
  /** Names used by sites of the server that are not hosts of the panel. */
  readonly foreign = new Set<string>();
  /** Size of each database, in bytes. */
  databaseBytes = 10;
  /** Dump of each database. */
  dump = 'CREATE TABLE t (id INT);\n';
  /** Driver that manages the sites. */
  readonly driver: EmbeddedDriver;
  private readonly kept = new Map<string, Kept>();
  private readonly signal = new AbortController().signal;
  private readonly handlers: Handlers;

  constructor() {
    const config = new AppConfig({ DATA_DIR: this.dataDir });
    const folders = new SiteFolders(config, new Clock());
    const areas = new SiteAreas(folders, new Clock());
    const statistics = {
      grown: () => ok(this.grown),
      read: (_account: unknown, cursor: string) => ok({ text: '', next: cursor }),
      last: () => ok([]),
      days: () => ok(this.log === null ? [] : [{ day: LOG_DAY, bytes: this.log.length, isPacked: false, isCut: false }]),
    };
    const traffic = { ofMonth: () => ok(0) };
    this.driver = new EmbeddedDriver(
      folders,
      new EmbeddedFiles(areas),
      traffic as never,
      statistics as never,
      new EmbeddedBackups(areas, config),
      new DriverRegistry(),
      config,
    );
    this.handlers = this.life();
  }

  /** Returns the content imported into the database of a site; null if nothing was imported. */
  brought(siteName: string): string | null {
    return [...this.kept].find(([key]) => key.startsWith(`${siteName}\n`))?.[1].database?.content ?? null;
  }

  /** Returns the live rewrite rules of a site. */
  rewritesOf(siteName: string): unknown {
    return [...this.kept].find(([key]) => key.startsWith(`${siteName}\n`))?.[1].rewrites;
  }

  /** Returns the additional domains of a site. */
  domainsOf(siteName: string): string[] {
    return [...this.kept].find(([key]) => key.startsWith(`${siteName}\n`))?.[1].domains.map(({ name }) => name) ?? [];
  }

  /** Returns the stored state of a site, apart from its files; null if there is none. */
  noteOf(siteName: string): Kept | null {
    return [...this.kept].find(([key]) => key.startsWith(`${siteName}\n`))?.[1] ?? null;
  }

  /** Returns the path of the web root of a site. */
  webRoot({ siteName }: DriverAccount): string {
    return join(this.dataDir, 'sites', siteName, 'public');
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Runs an action of the agent. */
  readonly handle: ActionHandler = async (action) => {
    const { site } = action;
    const account: DriverAccount = site
      ? { node: FAKE_NODE, username: site.user, siteName: site.name, siteId: site.id, ownerMark: site.mark }
      : { node: FAKE_NODE, username: '', siteName: '', siteId: '', ownerMark: '' };
    const work = this.handlers[action.action] as Handler | undefined;
    if (!work) throw new AgentRefusal('UNKNOWN_ACTION');
    const user = site?.user ?? '';
    await this.seen?.(action.action, user);
    const failure = this.fail?.(action.action) ?? null;
    if (failure !== null) throw failure === 'unknown' ? new Error('cut short') : new AgentRefusal(FAILURES[failure]);
    if (action.action === 'databases.restore' || action.action === 'commands.run') await this.wait;
    const value = (await work(account, action.args, action)) as Record<string, unknown>;
    await this.done?.(action.action, user);
    return value;
  };

  private life(): Handlers {
    return {
      'server.probe': () =>
        Promise.resolve({
          system: 'Debian GNU/Linux 12 (bookworm)',
          versions: { nginx: '1.22.1', mariadb: '10.11.6', sshd: '9.2', agent: '1.84.0' },
          php: ['82', '83'],
          disk: { total: 2, free: 1 },
          adminer: null,
          zone: 'Etc/UTC',
        }),
      'site.list': async (account, { after }) =>
        of(await this.driver.list(account.node, after, this.signal), ({ sites, next }) => ({
          sites: sites.map((site) => ({ ...site, siteId: `svc${site.siteId}` })),
          next,
        })),
      'site.create': (account, args) => this.create(account, args),
      'site.createAs': (account, args) => this.create(account, args),
      'site.suspend': async (account) => of(await this.driver.suspend(account)),
      'site.unsuspend': async (account, { to }) => of(await this.driver.unsuspend(account, to)),
      'site.start': async (account) => of(await this.driver.start(account)),
      'site.stop': async (account) => of(await this.driver.stop(account)),
      'site.renew': async (account, { expiresOn }) => of(await this.driver.renew(account, expiresOn)),
      'site.quota': async (account) => of(await this.driver.changeQuota(account)),
      'site.password': async (account, { password }) => this.own(account, (kept) => ((kept.sftp = { ...kept.sftp, password }), {})),
      'site.terminate': async (account) => of(await this.driver.terminate(account)),
      'site.sync': async (account) => of(await this.driver.sync(account, this.signal), (value) => value as never),
      'site.idle': async (account) => of(await this.driver.idle(account), (signs) => ({ files: signs.includes('files') })),
      'site.adopt': async (account, { from, password, quota, expiresOn }) => {
        const made = await this.driver.adopt(
          { ...account, password, quota, expiresOn },
          { ...from, siteId: from.siteId.replace(/^svc/, '') },
        );
        return of(made, ({ siteId }) => ({ siteId: `svc${siteId}` }));
      },
      'bin.has': async (account) => of(await this.driver.bin.has(account, this.signal), (kept) => ({ kept })),
      'bin.restore': async (account, { kept }) => of(await this.driver.bin.restore(named(account, kept), account, this.signal)),
      'bin.purge': async (account) => of(await this.driver.bin.purge(account, this.signal)),
      ...this.told('domains', 'domains'),
      'domains.apply': (account, { domains }) =>
        this.own(account, (kept) => {
          const taken = this.takenOf(
            account,
            domains.map(({ name }) => name),
          );
          const free = domains.filter(({ name }) => !taken.includes(name));
          const isSame = JSON.stringify(kept.domains) === JSON.stringify(free);
          kept.domains = free;
          if (taken[0] !== undefined) throw new AgentRefusal('SERVER_DOMAIN', { name: taken[0] });
          return isSame ? 'already' : {};
        }),
      'domains.taken': (account, { names }) => Promise.resolve({ names: this.takenOf(account, names) }),
      ...this.told('settings', 'settings'),
      ...this.told('certificate', 'certificate'),
      ...this.told('proofs', 'proofs'),
      'php.versions': () => Promise.resolve({ versions: ['82', '83'] }),
      'php.of': (account) => this.own(account, ({ php }) => ({ version: php })),
      'php.apply': (account, { version }) =>
        this.own(account, (kept) => {
          if (version !== null && !['82', '83'].includes(version)) throw new AgentRefusal('PHP_MISSING', { version });
          const isSame = kept.php === version;
          kept.php = version;
          return isSame ? 'already' : {};
        }),
      'rewrites.apply': (account, { rules }) =>
        this.own(account, (kept) => {
          if (rules.includes('root ')) throw new AgentRefusal('CONFIG', { problem: '"root" is not allowed here' });
          const isSame = kept.rewrites === rules;
          kept.rewrites = rules;
          return isSame ? 'already' : {};
        }),
      'sftp.of': (account) =>
        this.own(account, ({ sftp }) => ({
          enabled: sftp.enabled,
          user: account.siteId.slice(0, 32),
          port: 22,
          hasPassword: sftp.password !== null,
          keys: sftp.keys,
        })),
      'sftp.switch': (account, { enabled }) =>
        this.own(account, (kept) => {
          const isSame = kept.sftp.enabled === enabled;
          kept.sftp = { ...kept.sftp, enabled };
          return isSame ? 'already' : {};
        }),
      ...this.credentials(),
      ...this.databases(),
      ...this.commands(),
      ...this.logOfAgent(),
      ...this.files(),
    };
  }

  private async create(account: DriverAccount, { password, quota, expiresOn }: ActionArgs<'site.create'>): Promise<unknown> {
    const made = await this.driver.create({ ...account, password, quota, expiresOn });
    return of(made, ({ siteId }) => ({ siteId: `svc${siteId}` }));
  }

  private told(action: 'domains' | 'settings' | 'certificate' | 'proofs', name: keyof Kept): Handlers {
    const isSame = (kept: Kept, args: unknown): boolean => JSON.stringify(kept[name]) === JSON.stringify((args as Kept)[name]);
    const apply: Handler = (account, args) =>
      this.own(account, (kept) => {
        if (isSame(kept, args)) return 'already';
        Object.assign(kept, { [name]: (args as Kept)[name] });
        return {};
      });
    const matches: Handler = (account, args) => this.own(account, (kept) => ({ same: isSame(kept, args) }));
    return { [`${action}.apply`]: apply, [`${action}.matches`]: matches };
  }

  /** Returns the names that belong to other sites or are in {@link FakeServer.foreign}. */
  private takenOf({ siteName }: DriverAccount, names: readonly string[]): string[] {
    const others = [...this.kept].filter(([key]) => {
      const [name] = key.split('\n') as [string];
      return name !== siteName && existsSync(join(this.dataDir, 'sites', name));
    });
    const theirs = new Set(others.flatMap(([, { domains }]) => domains.map(({ name }) => name)));
    return names.filter((name) => theirs.has(name) || this.foreign.has(name));
  }

  private credentials(): Handlers {
    return {
      'credentials.take': async (account, _args, { send }) => {
        const { sftp, database } = await this.ownKept(account);
        await send(Buffer.from(JSON.stringify({ sftp: sftp.password, database: database?.password ?? null })));
        return {};
      },
      'credentials.give': (account, { credentials }) =>
        this.own(account, (kept) => {
          const given = JSON.parse(credentials) as { sftp: string | null; database: string | null };
          kept.sftp = { ...kept.sftp, password: given.sftp };
          if (kept.database && given.database !== null) kept.database.password = given.database;
          return {};
        }),
    };
  }

  private logOfAgent(): Handlers {
    const { agentLog } = this;
    const ofAgent = (file: string): Buffer => {
      if (file !== 'agent.log') throw new AgentRefusal('', {}, 'not_found');
      return Buffer.from(agentLog.text);
    };
    return {
      'agentlog.files': () => {
        const lines = { DEBUG: 0, INFO: agentLog.text.split('\n').length - 1, WARNING: 0, ERROR: 0 };
        const file = { name: 'agent.log', bytes: agentLog.text.length, changedAt: Date.now(), lines };
        return Promise.resolve({ level: agentLog.level, files: [file] });
      },
      'agentlog.read': async (_account, { file }, { send }) => {
        const content = ofAgent(file);
        await send(content);
        return { offset: 0, size: content.length };
      },
      'agentlog.clear': (_account, { file }) => {
        ofAgent(file);
        agentLog.text = '';
        return Promise.resolve({});
      },
      'agentlog.level': (_account, { level }) => Promise.resolve(void (agentLog.level = level)),
    };
  }

  /** Commands; the only program is `echo`. */
  private commands(): Handlers {
    return {
      'commands.put': (account, { command, most }) =>
        this.own(account, ({ commands }) => {
          if (command.schedule.startsWith('99')) throw new AgentRefusal('COMMAND_SCHEDULE');
          const at = commands.findIndex(({ id }) => id === command.id);
          if (at < 0 && commands.length >= most) throw new AgentRefusal('TOO_MANY', { most });
          const isSame = JSON.stringify(commands[at]) === JSON.stringify(command);
          commands.splice(at < 0 ? commands.length : at, 1, command);
          return isSame ? 'already' : {};
        }),
      'commands.remove': (account, { id }) =>
        this.own(account, ({ commands, runs }) => {
          const at = commands.findIndex((one) => one.id === id);
          runs.delete(id);
          return at < 0 ? 'already' : (commands.splice(at, 1), {});
        }),
      'commands.of': (account) =>
        this.own(account, ({ commands, runs }) => ({
          commands: commands.map((command) => ({ ...command, last: withoutOutput(runs.get(command.id)?.[0]) })),
          zone: 'Etc/UTC',
        })),
      'commands.run': async (account, { id }) => {
        const { commands, runs } = await this.ownKept(account);
        const command = commands.find((one) => one.id === id);
        if (!command) throw new AgentRefusal('COMMAND_MISSING');
        const [program, ...args] = command.argv;
        const said = program === 'echo' ? { exit: 0, output: `${args.join(' ')}\n` } : { exit: 127, output: 'There is no such program.\n' };
        const run = { began: Date.now(), seconds: 0, ...said };
        runs.set(id, [run, ...(runs.get(id) ?? [])].slice(0, 20));
        return run;
      },
      'commands.settle': () => Promise.resolve({ ended: 0 }),
      'commands.runs': (account, { id }) => this.own(account, ({ runs }) => ({ runs: runs.get(id) ?? [] })),
    };
  }

  private databases(): Handlers {
    const database = (kept: Kept) => {
      if (!kept.database) throw new AgentRefusal('DATABASE_NONE');
      return kept.database;
    };
    return {
      'databases.create': (account, { password }) =>
        this.own(account, (kept) => {
          kept.database ??= { password, hosts: [], archives: [] };
          return {};
        }),
      'databases.list': (account) =>
        this.own(account, ({ database: one }) => ({
          databases: one ? [{ name: account.siteId, bytes: this.databaseBytes, hasUser: true, hosts: one.hosts }] : [],
        })),
      'databases.password': (account, { password }) => this.own(account, (kept) => ((database(kept).password = password), {})),
      'databases.access': (account, { hosts }) =>
        this.own(account, (kept) => {
          const isSame = JSON.stringify(database(kept).hosts) === JSON.stringify(hosts);
          database(kept).hosts = hosts;
          return isSame ? 'already' : {};
        }),
      'databases.archives': (account) => this.own(account, (kept) => ({ archives: database(kept).archives })),
      'databases.dump': async (account, { archive, to, path, space }) => {
        if (to === 'site') return this.saved(account, path ?? '', space);
        return this.own(account, (kept) => {
          const { length: size } = this.dump;
          database(kept).archives.unshift({ name: archive ?? '', size, madeAt: Date.now() });
          return { size, sha256: '0'.repeat(64), content: size };
        });
      },
      'databases.removeArchive': (account, { archive }) =>
        this.own(account, (kept) => {
          const { archives } = database(kept);
          const at = archives.findIndex(({ name }) => name === archive);
          if (at < 0) throw new AgentRefusal('', {}, 'not_found');
          archives.splice(at, 1);
          return {};
        }),
      'databases.openArchive': async (account, { archive }, { send }) => {
        this.archived(await this.ownKept(account), archive);
        await send(Buffer.from(this.dump));
        return {};
      },
      'databases.restore': async (account, { archive, path }) => {
        const kept = await this.ownKept(account);
        if (archive !== null) this.archived(kept, archive);
        else {
          const read = await this.driver.files.read(account, path ?? '', 1_000_000);
          const sql = of(read, ({ bytes }) => ({ text: (bytes as Buffer).toString() }));
          if (!/;\s*$/.test((sql as { text: string }).text))
            throw new AgentRefusal('DATABASE_SQL', { answer: 'You have an error in your SQL syntax' });
        }
        kept.ran.push(archive ?? path ?? '');
        return {};
      },
      'databases.import': async (account, _args, { body }) => {
        const content = await body();
        return this.own(account, (kept) => ((database(kept).content = content.toString()), {}));
      },
      'databases.clear': (account) => this.own(account, (kept) => (database(kept), kept.ran.push('clear'), {})),
      'databases.door': (account) => this.own(account, (kept) => (database(kept), { url: 'https://adminer.example/?ticket=' })),
    };
  }

  /** Writes the dump as a file of the site. */
  private async saved(account: DriverAccount, path: string, space: number): Promise<Record<string, unknown>> {
    const bytes = Buffer.from(this.dump);
    const written = await this.driver.files.write(account, { path, isNew: true, bytes }, new Budget(space));
    return of(written, () => ({ size: bytes.length, sha256: '0'.repeat(64), content: bytes.length })) as Record<string, unknown>;
  }

  private archived(kept: Kept, archive: string): void {
    if (!kept.database?.archives.some(({ name }) => name === archive)) throw new AgentRefusal('DATABASE_BACKUP_GONE');
  }

  private files(): Handlers {
    const files: FilesPort = this.driver.files;
    const backups: BackupsPort = this.driver.backups;
    const statistics: StatisticsPort = this.driver.statistics;
    const traffic: TrafficPort = this.driver.traffic;
    const { signal } = this;
    const spent = async <Value>(args: object, run: (meter: SpaceMeter) => Promise<DriverResult<Value>>, to: (value: Value) => object) => {
      const meter = new Budget('space' in args ? (args.space as number) : 0);
      const result = await run(meter);
      return of(result, (value) => ({ ...to(value), space: meter.used }));
    };
    const turn = ({ deed }: { readonly deed: string }, { progress }: TakenAction) => ({
      id: deed,
      signal,
      progress: (done: number, total: number) => void progress(done, total).catch(() => undefined),
    });
    return {
      'files.list': async (account, args) =>
        of(await files.list(account, { ...args, text: args.text ?? undefined }, signal), (value) => value as never),
      'files.find': async (account, { path }) => of(await files.find(account, path, signal), (entry) => ({ entry })),
      'files.read': async (account, { path, most }, { send }) => {
        const read = await files.read(account, path, most, signal);
        if (!('value' in read)) return of(read);
        const { bytes, ...value } = read.value;
        await send(bytes);
        return value;
      },
      'files.open': async (account, { path }, { send }) => {
        const opened = await files.open(account, path, signal);
        if (!('value' in opened)) return of(opened);
        await send(opened.value.content, opened.value.size);
        return {};
      },
      'files.size': async (account, { path }) => of(await files.size(account, path, signal), (bytes) => ({ bytes })),
      'files.write': async (account, args, { body }) => {
        const bytes = await body();
        const file = { path: args.path, isNew: args.isNew, bytes, ...(args.version === null ? {} : { version: args.version }) };
        return spent(
          args,
          (meter) => files.write(account, file, meter, signal),
          ({ version, changedAt }) => ({ version, changedAt }),
        );
      },
      'files.makeFolder': async (account, { path }) => of(await files.makeFolder(account, path, signal)),
      'files.rename': async (account, { folder, from, to }) => of(await files.rename(account, folder, from, to, signal)),
      'files.move': async (account, args) => of(await files.move(account, args, signal), (count) => ({ count })),
      'files.discard': async (account, { paths }) => of(await files.discard(account, paths, signal), (count) => ({ count })),
      'files.uploaded': async (account, { target }) => of(await files.uploaded(account, target, signal), (state) => ({ state })),
      'files.upload': async (account, args, { body }) => {
        const piece = await body();
        return spent(
          args,
          (meter) => files.upload(account, args.target, args.offset, piece, meter, signal),
          (state) => ({ state }),
        );
      },
      'files.cancelUpload': (account, args) =>
        spent(
          args,
          (meter) => files.cancelUpload(account, args.target, meter, signal),
          () => ({}),
        ),
      'files.copy': (account, args, action) =>
        spent(
          args,
          (meter) => files.copy(account, args, meter, turn(args, action)),
          (value) => value,
        ),
      'files.pack': (account, args, action) =>
        spent(
          args,
          (meter) => files.pack(account, args, meter, turn(args, action)),
          (value) => value,
        ),
      'files.unpack': (account, args, action) =>
        spent(
          args,
          (meter) =>
            files.unpack(
              account,
              { archive: args.archive, folder: args.folder, ...(args.encoding === null ? {} : { encoding: args.encoding }) },
              meter,
              turn(args, action),
            ),
          (value) => value,
        ),
      'files.trash': async (account, { offset, limit }) => of(await files.trash(account, offset, limit, signal), (value) => value as never),
      'files.restore': async (account, { ids }) => of(await files.restore(account, ids, signal), (paths) => ({ paths })),
      'files.purge': (account, args, action) => {
        const chosen = {
          ...(args.ids === null ? {} : { ids: args.ids }),
          ...(args.before === null ? {} : { before: args.before }),
        };
        return spent(
          args,
          (meter) => files.purge(account, chosen, meter, turn(args, action)),
          (count) => ({ count }),
        );
      },
      'files.tidy': (account, args) =>
        spent(
          args,
          (meter) => files.tidy(account, args.before, meter, signal),
          () => ({}),
        ),
      'backups.make': async (account, args, action) => {
        const made = await backups.make(account, { name: args.name, ...(args.url === null ? {} : { url: args.url }) }, turn(args, action));
        return of(made, (value) => value as never);
      },
      'backups.restore': async (account, args, action) => {
        const { archive: known, url } = args;
        // An archive that arrives as the request body is not stored on this server.
        const brought = (action.task.payload as { body: unknown }).body ? await action.body() : null;
        const archive = {
          ...known,
          ...(url === null ? {} : { url }),
          ...(brought ? { fetch: () => Promise.resolve(Readable.from([brought])) } : {}),
        };
        return spent(
          args,
          (meter) => backups.restore(account, archive as never, meter, turn(args, action)),
          () => ({}),
        );
      },
      'backups.open': async (account, { name, from }, { send }) => {
        const opened = await backups.open(account, name, signal, from);
        if (!('value' in opened)) return of(opened);
        await send(opened.value.content, opened.value.size - opened.value.from);
        return {};
      },
      'backups.remove': async (account, { name }) => of(await backups.remove(account, name, signal)),
      'backups.send': async (_account, { name, from, size, url }) => {
        const file = readFileSync(join(this.dataDir, 'site-backups', name));
        const body = new Uint8Array(file.subarray(from, from + size));
        if (!(await fetch(url, { method: 'PUT', body })).ok) throw new AgentRefusal('STORAGE_REFUSED');
        return {};
      },
      'backups.mark': async (account) => of(await backups.mark!(account, signal), (mark) => ({ mark })),
      'backups.check': async (account) => of(await backups.check(account.node, signal), (value) => value as never),
      'logs.grown': async (account) => of(await statistics.grown(account.node, null, signal), (sites) => ({ sites, next: null })),
      'logs.read': async (account, { cursor }, { send }) => {
        const read = await statistics.read(account, cursor, signal);
        if (!('value' in read)) return of(read);
        await send(Buffer.from(read.value.text, 'latin1'));
        return { next: read.value.next };
      },
      'logs.last': async (account, { lines }, { send }) => {
        const read = await statistics.last(account, lines, signal);
        if (!('value' in read)) return of(read);
        await send(Buffer.from(read.value.map((line) => `${line}\n`).join('')));
        return {};
      },
      'logs.days': async (account) => of(await statistics.days(account, signal), (days) => ({ days })),
      'logs.open': async (_account, { day }, { send }) => {
        if (day !== LOG_DAY || this.log === null) throw new AgentRefusal('', {}, 'not_found');
        await send(Buffer.from(this.log));
        return {};
      },
      'traffic.month': async (account, { month }) => of(await traffic.ofMonth(account, month, signal), (bytes) => ({ bytes })),
    };
  }

  private async own(
    account: DriverAccount,
    work: (kept: Kept) => Record<string, unknown> | 'already',
  ): Promise<Record<string, unknown> | 'already'> {
    return work(await this.ownKept(account));
  }

  private async ownKept(account: DriverAccount): Promise<Kept> {
    of(await this.driver.sync(account, this.signal));
    const key = `${account.siteName}\n${account.ownerMark}`;
    const fresh = {
      ...UNUSED,
      settings: null,
      php: '82',
      sftp: { enabled: true, password: null, keys: 0 },
      commands: [],
      runs: new Map(),
      ran: [],
      database: null,
    };
    const kept = this.kept.get(key) ?? fresh;
    this.kept.set(key, kept);
    return kept;
  }
}

function withoutOutput(run: Run | undefined): Omit<Run, 'output'> | null {
  return run ? { began: run.began, seconds: run.seconds, exit: run.exit } : null;
}

/** Space budget, as the agent has it. */
class Budget implements SpaceMeter {
  used = 0;

  constructor(private readonly most: number) {}

  async fits(bytes: number): Promise<boolean> {
    return Promise.resolve(this.used + bytes <= this.most);
  }

  async take(bytes: number): Promise<boolean> {
    if (!(await this.fits(bytes))) return false;
    this.used += bytes;
    return true;
  }

  giveBack(bytes: number): Promise<void> {
    this.used -= bytes;
    return Promise.resolve();
  }
}

function ok<Value>(value: Value) {
  return Promise.resolve({ outcome: 'ok', value } as const);
}

function named(account: DriverAccount, { name, id, mark, user }: { name: string; id: string; mark: string; user: string }): DriverAccount {
  return { node: account.node, siteName: name, siteId: id, ownerMark: mark, username: user };
}

/**
 * Converts the result of a driver to the answer of an action.
 *
 * @throws AgentRefusal
 */
function of<Value>(result: DriverResult<Value>, to: (value: Value) => object = () => ({})): unknown {
  if ('value' in result)
    return result.outcome === 'already' ? new AlreadySo(to(result.value) as Record<string, unknown>) : to(result.value);
  if (result.outcome === 'refused') throw new AgentRefusal(result.problem?.code ?? 'FOREIGN', result.problem?.params ?? {});
  throw new AgentRefusal('', {}, result.outcome === 'not_found' ? 'not_found' : 'unknown');
}
