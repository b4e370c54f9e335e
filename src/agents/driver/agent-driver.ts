import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { oneLine, translate, type Locale } from '../../common/index.js';
import {
  type BinPort,
  type CredentialsPort,
  type DriverAccount,
  type DriverCapability,
  type DriverNode,
  type DriverQuota,
  DriverRegistry,
  type DriverResult,
  HostDriver,
  type IdleSign,
  newestPhp,
  type NodeField,
  type NodeProbe,
  type RemotePage,
  type RemoteSite,
  type SiteSpecification,
  type SiteStatus,
  type SiteSwitch,
} from '../../hosting/index.js';

import type { ActionArgs } from '../wire/index.js';

import { AgentBackups } from './agent-backups.js';
import { AgentFiles } from './agent-files.js';
import { AgentPrograms } from './agent-programs.js';
import { AgentServing } from './agent-serving.js';
import { AgentStatistics } from './agent-statistics.js';
import { isAbsent, isUnknown, mapped, refOf, ServerCalls } from './server-calls.js';

/** Pattern of site ids assigned by agents. */
const AGENT_ID = /^svc[0-9a-f]{8}$/;
/** Maximum length of a reason that agents accept. */
const MAX_REASON = 200;

/** Kind of servers managed by an agent. */
export const AGENT_KIND = 'agent';

/** Hosting on Debian servers with an agent, which may be behind NAT: the agent pulls its tasks. */
@Injectable()
export class AgentDriver extends HostDriver {
  readonly type = AGENT_KIND;
  override readonly comesLater = true;
  /** The address is shown to users; the panel never connects to it. */
  override readonly nodeFields: readonly NodeField[] = ['ip'];
  readonly basics: ReadonlySet<DriverCapability> = new Set<DriverCapability>(['static']);
  override readonly idleSigns: readonly IdleSign[] = ['files'];
  override readonly traffic;
  override readonly domains;
  override readonly settings;
  override readonly rewrites;
  override readonly certificates;
  override readonly php;
  override readonly database;
  override readonly access;
  override readonly commands;
  override readonly bin: BinPort;

  constructor(
    private readonly calls: ServerCalls,
    override readonly files: AgentFiles,
    override readonly backups: AgentBackups,
    override readonly statistics: AgentStatistics,
    serving: AgentServing,
    programs: AgentPrograms,
    registry: DriverRegistry,
  ) {
    super();
    ({ traffic: this.traffic } = statistics);
    ({ domains: this.domains, settings: this.settings, rewrites: this.rewrites, certificates: this.certificates } = serving);
    ({ php: this.php, database: this.database, access: this.access, commands: this.commands } = programs);
    this.bin = {
      has: async (kept, deadline) => mapped(await calls.site(kept, 'bin.has', {}, deadline), (value) => value.kept),
      restore: (kept, account, deadline) => calls.done(account, 'bin.restore', { kept: refOf(kept) }, deadline),
      purge: (kept, deadline) => calls.done(kept, 'bin.purge', {}, deadline),
    };
    registry.register(this);
  }

  override readonly credentials: CredentialsPort = {
    take: async (account, deadline) =>
      mapped(await this.calls.buffered(account, 'credentials.take', {}, deadline), ({ bytes }) => bytes.toString('utf8')),
    give: (account, credentials, deadline) => this.calls.done(account, 'credentials.give', { credentials }, deadline),
  };

  title(locale: Locale): string {
    return translate(locale, 'node.kind_agent');
  }

  override help(locale: Locale): string {
    return translate(locale, 'node.kind_agent_help');
  }

  async probe(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<NodeProbe>> {
    const probe = await this.calls.server(node, 'server.probe', {}, deadline);
    return mapped(probe, ({ system, versions }) => ({ version: versions.agent, system }));
  }

  /**
   * Creates a site with its own name as domain and, if the server has MariaDB, a database with the same password. Repeating the call
   * creates what is missing.
   */
  async create(site: SiteSpecification, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>> {
    const { password, expiresOn, node } = site;
    const php = await this.phpFor(node, deadline);
    if (!('value' in php)) return php;
    const made = await this.make(site, { password, expiresOn, quota: quotaOf(site.quota), php: php.value }, deadline);
    if (!('value' in made)) return made;
    const { siteId } = made.value;
    const account = { ...site, siteId };
    const named = await this.domains.apply(account, [], deadline);
    if (!('value' in named)) return named;
    // On a repeated call, an existing database keeps its password if the new one is not known.
    const there = made.outcome === 'already' ? await this.calls.site(account, 'databases.list', {}, deadline) : null;
    const names = there && 'value' in there ? there.value.databases.map(({ name }) => name) : [];
    if (names.length > 0 && (password === null || !names.includes(siteId))) return made;
    // After a crash the password is not known; the owner can set a new one.
    const secret = password ?? randomBytes(24).toString('base64url');
    const database = await this.calls.site(account, 'databases.create', { name: siteId, password: secret, most: 1 }, deadline);
    return 'value' in database || isAbsent(database) ? made : database;
  }

  /** A site moved from another server keeps its id if possible; older agents do not support this. */
  private async make(
    site: SiteSpecification,
    args: ActionArgs<'site.create'>,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ siteId: string }>> {
    if (AGENT_ID.test(site.siteId)) {
      const made = await this.calls.site(site, 'site.createAs', { ...args, id: site.siteId }, deadline);
      if (!isUnknown(made)) return made;
    }
    return this.calls.site(site, 'site.create', args, deadline);
  }

  /** Returns the PHP version of a new site; null if the server has none. */
  private async phpFor(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<string | null>> {
    if (node.defaultPhp) return { outcome: 'ok', value: node.defaultPhp };
    return mapped(await this.php.versions(node, deadline), (versions) => newestPhp(versions) ?? null);
  }

  suspend(account: DriverAccount, reason: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.suspend', { reason: oneLine(reason.slice(0, MAX_REASON)) }, deadline);
  }

  unsuspend(account: DriverAccount, to: SiteSwitch, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.unsuspend', { to }, deadline);
  }

  start(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.start', {}, deadline);
  }

  stop(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.stop', {}, deadline);
  }

  renew(account: DriverAccount, expiresOn: string | null, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.renew', { expiresOn }, deadline);
  }

  changeQuota(account: DriverAccount, quota: DriverQuota, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.quota', { quota: quotaOf(quota) }, deadline);
  }

  changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.password', { password }, deadline);
  }

  terminate(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'site.terminate', {}, deadline);
  }

  sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>> {
    return this.calls.site(account, 'site.sync', {}, deadline);
  }

  override readonly adopt = (
    site: SiteSpecification,
    from: RemoteSite,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ siteId: string }>> => {
    const { password, expiresOn } = site;
    const { siteName, siteId, ownerMark, username, running, suspended } = from;
    const there = { siteName, siteId, ownerMark, username, running, suspended };
    return this.calls.site(site, 'site.adopt', { from: there, password, quota: quotaOf(site.quota), expiresOn }, deadline);
  };

  override async idle(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly IdleSign[]>> {
    const idle = await this.calls.site(account, 'site.idle', {}, deadline);
    return mapped(idle, ({ files }): readonly IdleSign[] => (files ? ['files'] : []));
  }

  list(node: DriverNode, cursor: string | null, deadline: AbortSignal): Promise<DriverResult<RemotePage>> {
    return this.calls.server(node, 'site.list', { after: cursor }, deadline);
  }
}

function quotaOf({ webMb, databaseMb, trafficGb, domains }: DriverQuota) {
  return { webMb, databaseMb, trafficGb, domains };
}
