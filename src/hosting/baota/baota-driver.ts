import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../../common/index.js';
import {
  type AccessPort,
  type BackupsPort,
  type CertificatesPort,
  type CredentialsPort,
  type DatabasePort,
  type DomainsPort,
  type DriverAccount,
  type DriverCapability,
  type DriverNode,
  DriverRegistry,
  type DriverResult,
  type DriverSettings,
  type FilesPort,
  HostDriver,
  type NodeField,
  type NodeProbe,
  type PhpPort,
  type RemotePage,
  type RemoteSite,
  type RewritesPort,
  type WebSettingsPort,
  type SiteSpecification,
  type SiteStatus,
  type SiteSwitch,
  type StatisticsPort,
} from '../driver/index.js';

import { BAOTA_FIELDS } from './baota-fields.js';
import { BaotaPrograms, BaotaServing, BaotaStorage } from './baota-ports.js';
import { answering, answeringAll } from './client/index.js';
import { ServerView } from './server-view.js';
import { SiteMaintenance } from './sites/index.js';

/**
 * Driver for servers running BaoTa, using the HTTP API of its panel. It has no scheduled commands, because there they would run as root.
 */
@Injectable()
export class BaotaDriver extends HostDriver {
  readonly type = 'baota';
  readonly basics: ReadonlySet<DriverCapability> = new Set<DriverCapability>(['static']);
  override readonly nodeFields: readonly NodeField[] = ['ip', 'dk', 'xieyi', 'key'];
  override readonly fields = BAOTA_FIELDS;
  override readonly php: PhpPort;
  override readonly database: DatabasePort;
  override readonly access: AccessPort;
  override readonly credentials: CredentialsPort;
  override readonly domains: DomainsPort;
  override readonly certificates: CertificatesPort;
  override readonly settings: WebSettingsPort;
  override readonly rewrites: RewritesPort;
  override readonly files: FilesPort;
  override readonly backups: BackupsPort;
  override readonly statistics: StatisticsPort;

  constructor(
    private readonly maintenance: SiteMaintenance,
    private readonly view: ServerView,
    programs: BaotaPrograms,
    serving: BaotaServing,
    storage: BaotaStorage,
    registry: DriverRegistry,
  ) {
    super();
    this.php = programs.php;
    this.database = programs.database;
    this.access = programs.access;
    this.credentials = programs.credentials;
    this.domains = serving.domains;
    this.certificates = serving.certificates;
    this.settings = serving.settings;
    this.rewrites = serving.rewrites;
    this.files = storage.files;
    this.backups = storage.backups;
    this.statistics = storage.statistics;
    registry.register(this);
  }

  title(locale: Locale): string {
    return translate(locale, 'hosting.kind_baota');
  }

  override help(locale: Locale): string {
    return translate(locale, 'hosting.baota_help');
  }

  probe(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<NodeProbe>> {
    return answering(() => this.view.probe(node, deadline));
  }

  override readonly learn = (node: DriverNode, deadline: AbortSignal): Promise<DriverResult<DriverSettings>> =>
    answering(() => this.view.learn(node, deadline));

  create(site: SiteSpecification, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>> {
    return answeringAll(() => this.maintenance.create(site, deadline));
  }

  override readonly fits = (account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> =>
    answering(() => this.maintenance.requireFit(account, deadline));

  override readonly adopt = (site: SiteSpecification, from: RemoteSite, deadline: AbortSignal): Promise<DriverResult<{ siteId: string }>> =>
    answeringAll(() => this.maintenance.adopt(site, from, deadline));

  suspend(account: DriverAccount, _reason: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.suspend(account, deadline));
  }

  unsuspend(account: DriverAccount, site: SiteSwitch, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.unsuspend(account, site === 'running', deadline));
  }

  start(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.run(account, true, deadline));
  }

  stop(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.run(account, false, deadline));
  }

  renew(account: DriverAccount, expiresOn: string | null, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.renew(account, expiresOn, deadline));
  }

  /** Nothing to set: our panel measures the usage of sites and enforces the limits itself. */
  changeQuota(account: DriverAccount, _quota: unknown, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.hold(account, deadline));
  }

  changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.changePassword(account, password, deadline));
  }

  terminate(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(() => this.maintenance.terminate(account, deadline));
  }

  sync(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteStatus>> {
    return answering(() => this.maintenance.sync(account, deadline));
  }

  list(node: DriverNode, cursor: string | null, deadline: AbortSignal): Promise<DriverResult<RemotePage>> {
    return answering(() => this.view.list(node, cursor, deadline));
  }
}
