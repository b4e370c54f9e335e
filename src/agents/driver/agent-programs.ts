import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import {
  invalidAddresses,
  type AccessPort,
  type CommandsPort,
  type DatabaseBackup,
  type DatabasePort,
  type DriverTurn,
  type DriverAccount,
  type DriverResult,
  type PhpPort,
  type SiteDatabase,
  type SpaceMeter,
} from '../../hosting/index.js';

import { agentCommands } from './agent-commands.js';
import { isAbsent, mapped, ServerCalls, streamOf } from './server-calls.js';
import { withAnySpace } from './space-grant.js';

/** Database address for the site's own code. */
const DATABASE = { host: 'localhost', port: 3306 } as const;
/** How long a link to Adminer is valid, in seconds. */
const DOOR_SECONDS = 60;
/** Pattern of archive names on the wire. */
const ARCHIVE = /^[a-z0-9][a-z0-9.-]{0,159}$/;

const GONE = { outcome: 'refused', message: 'the backup does not exist', problem: { code: 'DATABASE_BACKUP_GONE', params: {} } } as const;
const NO_PROGRAM = { outcome: 'refused', message: 'no Adminer', problem: { code: 'DATABASE_PROGRAM', params: {} } } as const;
const NO_DATABASE = {
  outcome: 'refused',
  message: 'the site does not have a database',
  problem: { code: 'DATABASE_NONE', params: {} },
} as const;

/**
 * PHP, database, SFTP and commands of sites on servers with an agent. A site's main database is named like its system user there: the
 * site's id, or its id before it was restored from the bin.
 */
@Injectable()
export class AgentPrograms {
  readonly commands: CommandsPort;

  constructor(private readonly calls: ServerCalls) {
    this.commands = agentCommands(calls);
  }

  readonly php: PhpPort = {
    versions: async (node, deadline) => mapped(await this.calls.server(node, 'php.versions', {}, deadline), ({ versions }) => versions),
    current: async (account, deadline) => mapped(await this.calls.site(account, 'php.of', {}, deadline), ({ version }) => version ?? ''),
    use: (account, version, deadline) => this.calls.done(account, 'php.apply', { version }, deadline),
  };

  readonly access: AccessPort = {
    find: async (account, deadline) =>
      mapped(await this.calls.site(account, 'sftp.of', {}, deadline), ({ user, port, enabled }) => ({
        protocol: 'sftp' as const,
        host: '',
        port,
        username: user,
        enabled,
      })),
    enable: (account, enabled, deadline) => this.calls.done(account, 'sftp.switch', { enabled }, deadline),
  };

  readonly database: DatabasePort = {
    find: (account, deadline) => this.find(account, deadline),
    changePassword: (account, password, deadline) =>
      this.calls.done(account, 'databases.password', { name: account.siteId, password }, deadline),
    allow: async (account, hosts, deadline) => {
      const wrong = invalidAddresses(hosts);
      if (wrong.length === 0) return this.calls.done(account, 'databases.access', { name: account.siteId, hosts }, deadline);
      const params = { addresses: wrong.join(', ').slice(0, 200) };
      return { outcome: 'refused', message: 'no addresses', problem: { code: 'DATABASE_ACCESS', params } };
    },
    backups: async (account, deadline) =>
      mapped(await this.calls.site(account, 'databases.archives', { name: account.siteId }, deadline), ({ archives }) =>
        archives.map(backupOf),
      ),
    backUp: (account, turn) => this.backUp(account, turn),
    removeBackup: (account, archive, deadline) =>
      this.calls.done(account, 'databases.removeArchive', { name: account.siteId, archive }, deadline),
    openBackup: (account, archive, deadline) => this.openBackup(account, archive, deadline),
    restore: (account, archive, turn) =>
      ARCHIVE.test(archive) ? this.run(account, turn, { from: 'archive', archive, path: null }) : Promise.resolve(GONE),
    run: (account, path, turn) => this.run(account, turn, { from: 'site', archive: null, path }),
    load: async (account, { size, open }, { signal, progress }) => {
      const send = { bytes: size, sha256: null, content: () => streamOf(() => open(signal)) };
      const args = { name: account.siteId, empty: true };
      return mapped(await this.calls.site(account, 'databases.import', args, signal, { progress, send }), () => undefined);
    },
    save: (account, path, space, turn) => this.save(account, path, space, turn),
    clear: (account, { signal }) => this.calls.done(account, 'databases.clear', { name: account.siteId }, signal),
    signIn: (account, deadline) => this.signIn(account, deadline),
    canSignIn: async ({ node }, deadline) =>
      mapped(await this.calls.server(node, 'server.probe', {}, deadline), ({ adminer }) => adminer !== null),
  };

  private async find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteDatabase>> {
    const found = await this.calls.site(account, 'databases.list', {}, deadline);
    if (!('value' in found)) return found;
    const { databases } = found.value;
    // A site restored from the bin keeps its old database name.
    const one = databases.find(({ name }) => name === account.siteId) ?? databases[0];
    if (!one) return NO_DATABASE;
    const { name, bytes, hosts } = one;
    return { outcome: 'ok', value: { name, username: name, ...DATABASE, bytes, tables: null, addresses: hosts } };
  }

  private async backUp(account: DriverAccount, { id, signal, progress }: DriverTurn): Promise<DriverResult<DatabaseBackup>> {
    const name = account.siteId;
    const archive = `${name}-${Date.now()}-${randomBytes(4).toString('hex')}.sql.gz`;
    const args = { deed: id, name, to: 'archive', path: null, archive, url: null, space: 0 } as const;
    const made = await this.calls.site(account, 'databases.dump', args, signal, { progress });
    return mapped(made, ({ size }) => backupOf({ name: archive, size, madeAt: Date.now() }));
  }

  private async save(account: DriverAccount, path: string, meter: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>> {
    const { id, signal, progress } = turn;
    const args = { deed: id, name: account.siteId, to: 'site', path, archive: null, url: null } as const;
    const saved = await withAnySpace(meter, async (space) =>
      mapped(await this.calls.site(account, 'databases.dump', { ...args, space }, signal, { progress }), ({ size }) => ({ space: size })),
    );
    return mapped(saved, ({ space }) => space);
  }

  private async openBackup(
    account: DriverAccount,
    archive: string,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ size: number; content: Readable }>> {
    if (!ARCHIVE.test(archive)) return GONE;
    const opened = await this.calls.opened(account, 'databases.openArchive', { name: account.siteId, archive }, deadline);
    if (!('value' in opened)) return opened;
    const { bytes, content } = opened.value;
    if (bytes !== null) return { outcome: 'ok', value: { size: bytes, content } };
    content.destroy();
    return { outcome: 'unknown', message: 'the agent did not report the size of the backup' };
  }

  private async run(
    account: DriverAccount,
    { id, signal, progress }: DriverTurn,
    source: { readonly from: 'site' | 'archive'; readonly archive: string | null; readonly path: string | null },
  ): Promise<DriverResult> {
    const args = { deed: id, name: account.siteId, ...source, url: null, sha256: null, empty: false };
    return mapped(await this.calls.site(account, 'databases.restore', args, signal, { progress }), () => undefined);
  }

  /** Returns an Adminer link with a one-time ticket at its end. */
  private async signIn(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<{ url: string }>> {
    const ticket = randomBytes(32).toString('hex');
    const opened = await this.calls.site(account, 'databases.door', { name: account.siteId, ticket, seconds: DOOR_SECONDS }, deadline);
    return isAbsent(opened) ? NO_PROGRAM : mapped(opened, ({ url }) => ({ url: `${url}${ticket}` }));
  }
}

function backupOf({ name, size, madeAt }: { readonly name: string; readonly size: number; readonly madeAt: number }): DatabaseBackup {
  return { id: name, fileName: name, size, madeAt };
}
