import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AgentNode } from '../../agents/index.js';
import { Clock } from '../../common/index.js';
import { BaseUrl, Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { HostingAccount, HostingService } from '../../hosting/index.js';
import { checkVersion, nextVersion, type NextVersion } from '../../http/index.js';
import type { UserIdentity } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { Checks, MonitorProbe, ResourceCheck, hostOfTarget, type CheckOutcome, type Resource } from '../checks/index.js';
import { MonitorTask, type MonitorKind } from '../entities/index.js';
import { MonitorError } from '../errors.js';
import { firstRun } from '../runs/next-run.js';
import { NEW_STANDING } from '../states/monitor-states.js';

import type { SaveMonitorInput } from './monitor-form.js';
import { monitorForm } from './monitor-wire.js';
import { PLAIN, USUAL_CERTIFICATE_INTERVAL, USUAL_DOMAIN_WARNING, valuesOf, type MonitorValues } from './monitor-values.js';

/** Who asks: an account, which has its own monitors alone, or an administrator, who sees all. */
export type Asker = UserIdentity | 'admin';

/** A monitor that was saved; `pushUrl` is told this once. */
export interface SavedMonitor {
  readonly id: number;
  readonly isNew: boolean;
  readonly pushUrl: string | null;
  /** Of what its form shows from now on. */
  readonly version: NextVersion;
}

/** A row that is not there yet. */
export type NewMonitor = Omit<MonitorTask, 'id' | 'statusPageId' | 'statusName' | 'lastPushAt' | 'lastRunAt' | LastFound>;
type LastFound = 'lastStatus' | 'lastCode' | 'lastMs' | 'lastError';

/** Milliseconds after which a monitor that is switched on is looked at. */
const SWITCHED_ON_MS = 60_000;

/** Seconds after which a new monitor was looked at once, however seldom that is later. */
const LATEST_FIRST_SECONDS = 3_600;

/** A monitor nobody knows anything of. */
const UNKNOWN = {
  state: NEW_STANDING.state,
  stateSince: null,
  failCount: 0,
  okCount: 0,
  told: false,
  runsSinceTold: 0,
  flips: 0,
  claim: null,
  claimedUntil: null,
} as const;

/** The monitors there are: made, changed, switched and deleted by those they belong to. */
@Injectable()
export class MonitorRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly settings: SiteSettings,
    private readonly hosting: HostingService,
    private readonly checks: Checks,
    private readonly resources: ResourceCheck,
    private readonly baseUrl: BaseUrl,
    private readonly probe: MonitorProbe,
  ) {}

  /** How many monitors an account may have: what its plan says, else what the settings of the installation say. */
  async limitOf({ id }: UserIdentity): Promise<number> {
    const account = await this.database.repository(HostingAccount).findOne({ select: { id: true, monitorQuota: true }, where: { id } });
    return account?.monitorQuota ?? this.settings.current.monitorLimit;
  }

  /** The monitors of an account, in the order they were made. */
  ofAccount({ id }: UserIdentity): Promise<MonitorTask[]> {
    return this.database.repository(MonitorTask).find({ where: { accountId: id }, order: { id: 'ASC' }, take: 1_000 });
  }

  /** @throws MonitorError `MONITOR_MISSING`, for one of somebody else too */
  async find(id: number, asker: Asker): Promise<MonitorTask> {
    const task = await this.database.repository(MonitorTask).findOneBy(asker === 'admin' ? { id } : { id, accountId: asker.id });
    if (!task) throw new MonitorError('MONITOR_MISSING');
    return task;
  }

  /** One that nobody made yet, with the usual values of its kind, for a form. */
  draft(type: MonitorKind, now: Date): MonitorTask {
    const usual =
      type === 'cert'
        ? { intervalSeconds: USUAL_CERTIFICATE_INTERVAL }
        : type === 'push'
          ? { intervalSeconds: 3_600, timeoutSeconds: 30 }
          : type === 'domain'
            ? { warnDays: USUAL_DOMAIN_WARNING }
            : {};
    return this.database
      .repository(MonitorTask)
      .create({ ...UNKNOWN, ...PLAIN, ...usual, type, id: 0, user: '', createdAt: now, updatedAt: now });
  }

  /** Makes or changes one. An administrator's new one belongs to the installation. @throws MonitorError naming what is wrong; StaleForm */
  async save(input: SaveMonitorInput, asker: Asker): Promise<SavedMonitor> {
    const before = input.id > 0 ? await this.find(input.id, asker) : null;
    // Told before what was typed is held against an address it was not typed for, and again once nobody can change the row any more.
    if (before) checkVersion(input.row_version, monitorForm(before));
    const values = valuesOf(input, before, this.secrets);
    await this.checkKind(values, before ? before.user : asker === 'admin' ? '' : asker.username);
    return before ? this.change(before, values, input.row_version) : this.add(values, asker);
  }

  /** Switches one on or off. */
  async toggle(id: number, enabled: boolean, asker: Asker): Promise<void> {
    const now = this.clock.now();
    const nextRunAt = new Date(now.getTime() + SWITCHED_ON_MS);
    await this.database.transaction(async () => {
      const before = await this.held(id, asker);
      await this.database.repository(MonitorTask).update({ id }, { ...UNKNOWN, enabled, nextRunAt, updatedAt: now });
      this.database.noteChange({ of: 'monitor', id }, before, { enabled });
    });
  }

  /** Deletes one with all that was found. */
  async remove(id: number, asker: Asker): Promise<void> {
    await this.database.transaction(async () => {
      const before = await this.held(id, asker);
      await this.database.repository(MonitorTask).delete({ id });
      this.database.noteChange({ of: 'monitor', id, only: ['name', 'type', 'url', 'user'] }, before, null);
    });
  }

  /** Looks once, now: nothing is written down and nobody is told. */
  async test(id: number, asker: Asker): Promise<CheckOutcome | null> {
    return this.checks.run(await this.find(id, asker));
  }

  /** A new address for a monitor that waits to be called; the old one ends. @throws MonitorError `NOT_A_PUSH` */
  async renewPush(id: number, asker: Asker): Promise<string> {
    const { type } = await this.find(id, asker);
    if (type !== 'push') throw new MonitorError('NOT_A_PUSH');
    const key = newKey();
    await this.database.repository(MonitorTask).update({ id }, { pushHash: hashOf(key) });
    this.database.noteChange({ of: 'monitor', id }, { pushHash: '' }, { pushHash: hashOf(key) });
    return this.pushUrl(key);
  }

  /** A monitor's address was called. @returns false where there is no such address */
  async pushed(key: string): Promise<boolean> {
    const { affected } = await this.database.repository(MonitorTask).update({ pushHash: hashOf(key) }, { lastPushAt: this.clock.now() });
    return affected === 1;
  }

  /** One that nobody else can change until the open transaction ends. @throws MonitorError as {@link find} */
  private async held(id: number, asker: Asker): Promise<MonitorTask> {
    await this.database.lockRow('MonitorTask', 'id', id);
    return this.find(id, asker);
  }

  /**
   * Holds what decides how many monitors somebody may have until the open transaction ends.
   *
   * @returns how many there may be, and how many more may be made, below 1 where there are as many or more;
   * `Infinity` for those of the installation
   */
  async places(asker: Asker): Promise<{ limit: number; left: number }> {
    if (asker === 'admin') {
      await this.settings.hold();
      return { limit: Infinity, left: Infinity };
    }
    await this.database.lockRow('HostingAccount', 'id', asker.id);
    const limit = await this.limitOf(asker);
    return { limit, left: limit - (await this.database.repository(MonitorTask).countBy({ accountId: asker.id })) };
  }

  /** A row for values that were checked, as it is before anybody looked, with the address of one that waits to be called. */
  rowOf(values: MonitorValues, asker: Asker): { row: NewMonitor; pushUrl: string | null } {
    const now = this.clock.now();
    const key = values.type === 'push' ? newKey() : null;
    const row = {
      ...UNKNOWN,
      ...values,
      user: asker === 'admin' ? '' : asker.username,
      accountId: asker === 'admin' ? null : asker.id,
      pushHash: key && hashOf(key),
      nextRunAt: firstRun(Math.min(values.intervalSeconds, LATEST_FIRST_SECONDS), now),
      createdAt: now,
      updatedAt: now,
    };
    return { row, pushUrl: key && this.pushUrl(key) };
  }

  private async add(values: MonitorValues, asker: Asker): Promise<SavedMonitor> {
    const { row, pushUrl } = this.rowOf(values, asker);
    const id = await this.database.transaction(async () => {
      const { limit, left } = await this.places(asker);
      if (left < 1) throw limit === 0 ? new MonitorError('MONITORS_NOT_INCLUDED') : new MonitorError('MONITOR_LIMIT', { n: limit });
      const made = (await this.database.repository(MonitorTask).insert(row)).identifiers[0]!.id as number;
      this.database.noteChange({ of: 'monitor', id: made, secret: ['headers'] }, null, values);
      return made;
    });
    return { id, isNew: true, pushUrl, version: {} };
  }

  /** What somebody else finds in the meantime counts no more: its claim is gone. */
  private async change(before: MonitorTask, values: MonitorValues, version: string | undefined): Promise<SavedMonitor> {
    const now = this.clock.now();
    const isOther =
      before.type !== values.type || before.url !== values.url || before.resource !== values.resource || before.enabled !== values.enabled;
    const key = values.type === 'push' && !before.pushHash ? newKey() : null;
    const next = await this.database.transaction(async () => {
      const present = await this.held(before.id, 'admin');
      checkVersion(version, monitorForm(present));
      await this.database.repository(MonitorTask).update(
        { id: before.id },
        {
          ...values,
          ...(isOther ? UNKNOWN : { claim: null, claimedUntil: null }),
          ...(values.type === 'push' ? (key ? { pushHash: hashOf(key) } : {}) : { pushHash: null, lastPushAt: null }),
          nextRunAt: firstRun(Math.min(values.intervalSeconds, SWITCHED_ON_MS / 1_000), now),
          updatedAt: now,
        },
      );
      this.database.noteChange({ of: 'monitor', id: before.id, secret: ['headers'] }, present, values);
      return nextVersion(version, monitorForm({ ...present, ...values }));
    });
    return { id: before.id, isNew: false, pushUrl: key && this.pushUrl(key), version: next };
  }

  /** What depends on whose it is. @param owner empty for one of the administrators */
  private async checkKind({ type, resource, url }: MonitorValues, owner: string): Promise<void> {
    if (type === 'server') {
      const isThere = owner === '' && (await this.database.repository(AgentNode).existsBy({ nodeId: url }));
      if (owner !== '') throw new MonitorError('FIELD_WRONG', {}, { task_type: 'monitor.field.admin_only' });
      if (!isThere) throw new MonitorError('FIELD_WRONG', {}, { url: 'monitor.field.agent' });
    }
    const host = hostOfTarget(type, url);
    if (host !== null && (await this.probe.isInternal(host))) throw new MonitorError('URL_REFUSED', {}, { url: 'monitor.url_refused' });
    if (type !== 'resource') return;
    const account = owner === '' ? null : await this.hosting.get(owner);
    if (!account) throw new MonitorError('FIELD_WRONG', {}, { task_type: 'monitor.field.host_only' });
    if (!(await this.resources.isMeasured(account.node, resource as Resource)))
      throw new MonitorError('FIELD_WRONG', {}, { resource_type: 'monitor.problem.not_measured' });
  }

  private pushUrl(key: string): string {
    return `${this.baseUrl.current()}/push/${key}`;
  }
}

const newKey = (): string => randomBytes(24).toString('hex');
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
