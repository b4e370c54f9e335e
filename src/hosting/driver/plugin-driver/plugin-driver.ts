import { translateFor, type Locale } from '../../../common/index.js';
import type { HostDriverRecord } from '../../../sdk/index.js';
import { fieldOfPlugin } from '../../../web/index.js';
import { succeeded } from '../driver-call.js';
import type { DriverField } from '../driver-fields.js';
import {
  type DriverAccount,
  type DriverCapability,
  type DriverNode,
  type DriverQuota,
  type DriverResult,
  HostDriver,
  type IdleSign,
  type NodeField,
  type NodeProbe,
  type RemotePage,
  type SiteSpecification,
  type SiteStatus,
  type SiteSwitch,
} from '../host-driver.js';
import type { PhpVersions } from '../php-versions.js';
import type {
  BackupsPort,
  BinPort,
  CertificatesPort,
  DomainsPort,
  FilesPort,
  WebSettingsPort,
  StatisticsPort,
  TrafficPort,
} from '../ports/index.js';

import { count, flag, list, nothing, orNull, record as recordOf, remoteSite, text, type Read } from './answers.js';
import { checkRecord, USES } from './check-record.js';
import { backupsPort } from './plugin-backups.js';
import { DriverCalls, type DriverCallGuard } from './plugin-calls.js';
import { filesPort } from './plugin-files.js';
import { statisticsPort } from './plugin-logs.js';
import { binPort, certificatesPort, domainsPort, settingsPort, trafficPort } from './plugin-ports.js';
import { accountOf, nodeOf, siteOf } from './copies.js';

export type { DriverCallGuard } from './plugin-calls.js';

/** The driver of a plugin and the services it runs with. */
export interface PluginDriverParts {
  readonly slug: string;
  /** The plugin's own name of the kind. */
  readonly kind: string;
  readonly record: HostDriverRecord;
  readonly guard: DriverCallGuard;
  /** Records an error of the plugin's code. */
  readonly failed: (label: string, error: unknown) => void;
  /** Aborted when the plugin is disabled. */
  readonly gone: AbortSignal;
}

/** Maximum number of sites per page of `list`. */
const MAX_LISTED = 1_000;

/**
 * Creates the driver for a kind of server provided by a plugin. Its type is `{slug}:{kind}`, so that names of plugins cannot collide.
 *
 * @throws Error that names the plugin and the broken rule
 */
export function pluginDriver(parts: PluginDriverParts): HostDriver {
  checkRecord(parts.slug, parts.kind, parts.record);
  return new PluginDriver(parts);
}

const status = recordOf<SiteStatus>({
  running: flag,
  suspended: flag,
  webUsedBytes: count,
  databaseUsedBytes: count,
});
const page = recordOf<RemotePage>({ sites: list(remoteSite, MAX_LISTED), next: orNull(text(1_000)) });

const made = recordOf<{ siteId: string }>({ siteId: text(64) });

class PluginDriver extends HostDriver implements PhpVersions {
  readonly type: string;
  readonly basics: ReadonlySet<DriverCapability>;
  override readonly nodeFields: readonly NodeField[];
  override readonly fields: readonly DriverField[];
  override readonly idleSigns: readonly IdleSign[];
  declare readonly adopt?: HostDriver['adopt'];
  declare readonly files?: FilesPort;
  declare readonly domains?: DomainsPort;
  declare readonly settings?: WebSettingsPort;
  declare readonly traffic?: TrafficPort;
  declare readonly bin?: BinPort;
  declare readonly certificates?: CertificatesPort;
  declare readonly statistics?: StatisticsPort;
  declare readonly backups?: BackupsPort;
  private readonly record: HostDriverRecord;
  private readonly slug: string;
  private readonly calls: DriverCalls;

  constructor({ slug, kind, record, guard, failed, gone }: PluginDriverParts) {
    super();
    this.slug = slug;
    this.record = record;
    this.type = `${slug}:${kind}`;
    this.basics = new Set(record.can ?? []);
    this.nodeFields = (record.uses ?? []).map((use) => USES[use]);
    this.fields = (record.fields ?? []).map((field) => fieldOfPlugin(slug, field));
    this.idleSigns = record.idle ? ['files'] : [];
    const secretFields = this.fields.filter((field) => field.type === 'password').map(({ key }) => key);
    this.calls = new DriverCalls({ label: `host driver ${kind}`, guard, failed, gone, secretFields });
    const { files, domains, settings, traffic, bin, certificates, statistics, backups } = record;
    const { adopt } = record;
    if (adopt)
      this.adopt = (site, from, until) =>
        this.calls.ask({ name: 'adopt', node: site.node, until, run: (signal) => adopt(siteOf(site), { ...from }, signal), read: made });
    if (files) this.files = filesPort(this.calls, files);
    if (domains) this.domains = domainsPort(this.calls, domains);
    if (settings) this.settings = settingsPort(this.calls, settings);
    if (traffic) this.traffic = trafficPort(this.calls, traffic);
    if (bin) this.bin = binPort(this.calls, bin);
    if (certificates) this.certificates = certificatesPort(this.calls, certificates);
    if (statistics) this.statistics = statisticsPort(this.calls, statistics);
    if (backups) this.backups = backupsPort(this.calls, backups);
  }

  title(locale: Locale): string {
    return translateFor(this.slug, locale, this.record.title);
  }

  override help(locale: Locale): string {
    return this.record.help ? translateFor(this.slug, locale, this.record.help) : '';
  }

  probe(node: DriverNode, until: AbortSignal): Promise<DriverResult<NodeProbe>> {
    const read = recordOf<NodeProbe>({ version: text(100), system: text(200) });
    return this.calls.ask({ name: 'probe', node, until, run: (signal) => this.record.probe(nodeOf(node), signal), read });
  }

  create(site: SiteSpecification, until: AbortSignal): Promise<DriverResult<{ siteId: string }>> {
    const { create } = this.record;
    return this.calls.ask({ name: 'create', node: site.node, until, run: (signal) => create(siteOf(site), signal), read: made });
  }

  suspend(account: DriverAccount, reason: string, until: AbortSignal): Promise<DriverResult> {
    return this.change('suspend', account, until, (own, signal) => this.record.suspend(own, reason, signal));
  }

  unsuspend(account: DriverAccount, site: SiteSwitch, until: AbortSignal): Promise<DriverResult> {
    return this.change('unsuspend', account, until, (own, signal) => this.record.unsuspend(own, site, signal));
  }

  start(account: DriverAccount, until: AbortSignal): Promise<DriverResult> {
    return this.change('start', account, until, (own, signal) => this.record.start(own, signal));
  }

  stop(account: DriverAccount, until: AbortSignal): Promise<DriverResult> {
    return this.change('stop', account, until, (own, signal) => this.record.stop(own, signal));
  }

  renew(account: DriverAccount, expiresOn: string | null, until: AbortSignal): Promise<DriverResult> {
    return this.change('renew', account, until, (own, signal) => this.record.renew(own, expiresOn, signal));
  }

  changeQuota(account: DriverAccount, quota: DriverQuota, until: AbortSignal): Promise<DriverResult> {
    return this.change('changeQuota', account, until, (own, signal) => this.record.changeQuota(own, { ...quota }, signal));
  }

  changePassword(account: DriverAccount, password: string, until: AbortSignal): Promise<DriverResult> {
    return this.change('changePassword', account, until, (own, signal) => this.record.changePassword(own, password, signal));
  }

  terminate(account: DriverAccount, until: AbortSignal): Promise<DriverResult> {
    return this.change('terminate', account, until, (own, signal) => this.record.terminate(own, signal));
  }

  sync(account: DriverAccount, until: AbortSignal): Promise<DriverResult<SiteStatus>> {
    return this.ask('sync', account, until, (own, signal) => this.record.sync(own, signal), status);
  }

  override async idle(account: DriverAccount, until: AbortSignal): Promise<DriverResult<readonly IdleSign[]>> {
    const { idle } = this.record;
    if (!idle) return { outcome: 'ok', value: [] };
    const answer = await this.ask('idle', account, until, (own, signal) => idle(own, signal), flag);
    if (!succeeded(answer)) return answer;
    return { outcome: answer.outcome, value: answer.value ? ['files'] : [] };
  }

  list(node: DriverNode, cursor: string | null, until: AbortSignal): Promise<DriverResult<RemotePage>> {
    return this.calls.ask({ name: 'list', node, until, run: (signal) => this.record.list(nodeOf(node), cursor, signal), read: page });
  }

  phpVersions(node: DriverNode, until: AbortSignal): Promise<DriverResult<string[]>> {
    const run = (signal: AbortSignal): unknown => this.record.phpVersions?.(nodeOf(node), signal);
    return this.calls.ask({ name: 'phpVersions', node, until, run, read: list(text(10), 50) });
  }

  private change(
    name: string,
    account: DriverAccount,
    until: AbortSignal,
    run: (account: DriverAccount, signal: AbortSignal) => unknown,
  ): Promise<DriverResult> {
    return this.ask(name, account, until, run, nothing);
  }

  private ask<Value>(
    name: string,
    account: DriverAccount,
    until: AbortSignal,
    run: (account: DriverAccount, signal: AbortSignal) => unknown,
    read: Read<Value>,
  ): Promise<DriverResult<Value>> {
    return this.calls.ask({ name, node: account.node, until, run: (signal) => run(accountOf(account), signal), read });
  }
}
