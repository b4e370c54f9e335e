import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { BaseUrl, Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { HostingAccount } from '../../hosting/index.js';
import { checkVersion, nextVersion, type NextVersion } from '../../http/index.js';
import type { UserIdentity } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { MonitorTask, type MonitorKind } from '../entities/index.js';
import { MonitorError } from '../errors.js';
import { firstRun } from '../runs/next-run.js';
import { NEW_STANDING } from '../states/monitor-states.js';

import type { SaveMonitorInput } from './monitor-form.js';
import { MonitorTargets } from './monitor-targets.js';
import { monitorForm } from './monitor-wire.js';
import { PLAIN, DEFAULT_CERTIFICATE_INTERVAL, DEFAULT_DOMAIN_WARNING, valuesOf, type MonitorValues } from './monitor-values.js';

/** The caller: an account, which sees its own monitors only, or an administrator, who sees all. */
export type Asker = UserIdentity | 'admin';

/** A saved monitor; `pushUrl` is shown this once. */
export interface SavedMonitor {
  readonly id: number;
  readonly isNew: boolean;
  readonly pushUrl: string | null;
  /** Version of the values that its form shows from now on. */
  readonly version: NextVersion;
}

/** A row to insert. */
export type NewMonitor = Omit<MonitorTask, 'id' | 'statusPageId' | 'statusName' | 'lastPushAt' | 'lastRunAt' | LastFound>;
type LastFound = 'lastStatus' | 'lastCode' | 'lastMs' | 'lastError';

/** Delay of the first check after a monitor is switched on, in milliseconds. */
const SWITCHED_ON_MS = 60_000;

/** Maximum delay of the first check of a new monitor, in seconds, whatever its interval. */
const LATEST_FIRST_SECONDS = 3_600;

/** State of a monitor that has not been checked yet. */
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

/** Monitors and their owners' changes to them: create, change, switch on and off, delete. */
@Injectable()
export class MonitorRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly settings: SiteSettings,
    private readonly targets: MonitorTargets,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Returns how many monitors an account may have: by its plan, else by the settings of the installation. */
  async limitOf({ id }: UserIdentity): Promise<number> {
    const account = await this.database.repository(HostingAccount).findOne({ select: { id: true, monitorQuota: true }, where: { id } });
    return account?.monitorQuota ?? this.settings.current.monitorLimit;
  }

  /** Returns the monitors of an account, oldest first. */
  ofAccount({ id }: UserIdentity): Promise<MonitorTask[]> {
    return this.database.repository(MonitorTask).find({ where: { accountId: id }, order: { id: 'ASC' }, take: 1_000 });
  }

  /** @throws MonitorError `MONITOR_MISSING`, also for a monitor of another account */
  async find(id: number, asker: Asker): Promise<MonitorTask> {
    const task = await this.database.repository(MonitorTask).findOneBy(asker === 'admin' ? { id } : { id, accountId: asker.id });
    if (!task) throw new MonitorError('MONITOR_MISSING');
    return task;
  }

  /** Returns an unsaved monitor with the default values of its kind, for a form. */
  draft(type: MonitorKind, now: Date): MonitorTask {
    const defaults =
      type === 'cert'
        ? { intervalSeconds: DEFAULT_CERTIFICATE_INTERVAL }
        : type === 'push'
          ? { intervalSeconds: 3_600, timeoutSeconds: 30 }
          : type === 'domain'
            ? { warnDays: DEFAULT_DOMAIN_WARNING }
            : {};
    return this.database
      .repository(MonitorTask)
      .create({ ...UNKNOWN, ...PLAIN, ...defaults, type, id: 0, user: '', createdAt: now, updatedAt: now });
  }

  /** Creates or changes a monitor. One created by an administrator belongs to the installation. @throws MonitorError; StaleForm */
  async save(input: SaveMonitorInput, asker: Asker): Promise<SavedMonitor> {
    const before = input.id > 0 ? await this.find(input.id, asker) : null;
    // Compared before the input is checked against values it was not typed for, and again under the row lock.
    if (before) checkVersion(input.row_version, monitorForm(before));
    const values = valuesOf(input, before, this.secrets);
    await this.targets.check(values, before ? before.user : asker === 'admin' ? '' : asker.username);
    return before ? this.change(before, values, input.row_version) : this.add(values, asker);
  }

  /** Switches a monitor on or off. */
  async toggle(id: number, enabled: boolean, asker: Asker): Promise<void> {
    const now = this.clock.now();
    const nextRunAt = new Date(now.getTime() + SWITCHED_ON_MS);
    await this.database.transaction(async () => {
      const before = await this.held(id, asker);
      await this.database.repository(MonitorTask).update({ id }, { ...UNKNOWN, enabled, nextRunAt, updatedAt: now });
      this.database.noteChange({ of: 'monitor', id }, before, { enabled });
    });
  }

  /** Deletes a monitor with its records. */
  async remove(id: number, asker: Asker): Promise<void> {
    await this.database.transaction(async () => {
      const before = await this.held(id, asker);
      await this.database.repository(MonitorTask).delete({ id });
      this.database.noteChange({ of: 'monitor', id, only: ['name', 'type', 'url', 'user'] }, before, null);
    });
  }

  /** Issues a new address for a push monitor; the old one stops working. @throws MonitorError `NOT_A_PUSH` */
  async renewPush(id: number, asker: Asker): Promise<string> {
    const { type } = await this.find(id, asker);
    if (type !== 'push') throw new MonitorError('NOT_A_PUSH');
    const key = newKey();
    await this.database.repository(MonitorTask).update({ id }, { pushHash: hashOf(key) });
    this.database.noteChange({ of: 'monitor', id }, { pushHash: '' }, { pushHash: hashOf(key) });
    return this.pushUrl(key);
  }

  /** Records a call of a push address. @returns false for an unknown address */
  async pushed(key: string): Promise<boolean> {
    const { affected } = await this.database.repository(MonitorTask).update({ pushHash: hashOf(key) }, { lastPushAt: this.clock.now() });
    return affected === 1;
  }

  /** Returns a monitor with its row locked until the transaction ends. @throws MonitorError as {@link find} */
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

  /** Makes the row for checked values, and the address of a push monitor. */
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

  /** Changes a monitor; the result of a check that is running is discarded, because its claim is removed. */
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

  private pushUrl(key: string): string {
    return `${this.baseUrl.current()}/push/${key}`;
  }
}

const newKey = (): string => randomBytes(24).toString('hex');
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
