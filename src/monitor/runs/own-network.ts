import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { Notices } from '../../notify/index.js';
import { SiteSettings } from '../../site/index.js';
import { hostOfTarget } from '../checks/index.js';
import { MonitorHold, type MonitorKind, type MonitorTask } from '../entities/index.js';

import type { FinishedCheck } from './finished-check.js';
import { NeutralTarget } from './neutral-target.js';

/** Maximum time alarms are held back, in milliseconds. */
export const MAX_HOLD_MS = 5 * 60_000;
/** Number of most recently checked monitors considered, and their maximum age in milliseconds. */
const ASKED = 20;
const ASKED_WITHIN_MS = 5 * 60_000;
/** Minimum numbers for a conclusion. */
const MIN_MONITORS = 10;
const MIN_HOSTS = 5;

/** Kinds that depend on the panel's network. */
const OUTBOUND: readonly MonitorKind[] = ['url', 'tcp', 'dns', 'cert'];

interface Asked {
  readonly id: number;
  readonly type: MonitorKind;
  readonly url: string;
  readonly fails: number;
}

/**
 * Suspects the panel's own network when most of the recently checked monitors fail on several hosts and a neutral target fails also. Alarms
 * are then held back until the target responds, at most for {@link MAX_HOLD_MS}; a monitor that still fails is reported at its next
 * check.
 */
@Injectable()
export class OwnNetwork {
  private readonly asked;
  private readonly begin;
  private readonly giveUp;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: SiteSettings,
    private readonly neutral: NeutralTarget,
    private readonly notices: Notices,
  ) {
    const kinds = OUTBOUND.map((kind) => `'${kind}'`).join(', ');
    this.asked = database.statement<Asked>(
      `SELECT {MonitorTask.id} AS id, {MonitorTask.type} AS type, {MonitorTask.url} AS url, {MonitorTask.failCount} AS fails
        FROM {MonitorTask}
       WHERE {MonitorTask.enabled} = 1 AND {MonitorTask.told} = 0 AND {MonitorTask.type} IN (${kinds}) AND {MonitorTask.lastRunAt} >= ?
       ORDER BY {MonitorTask.lastRunAt} DESC LIMIT ${ASKED + 100}`,
    );
    this.begin = database.statement(
      `${database.insertIgnore} {MonitorHold} ({MonitorHold.id}, {MonitorHold.since}, {MonitorHold.told}) VALUES (1, ?, 0)`,
    );
    this.giveUp = database.statement(
      'UPDATE {MonitorHold} SET {MonitorHold.told} = 1 WHERE {MonitorHold.told} = 0 AND {MonitorHold.since} <= ?',
    );
  }

  /** Returns since when alarms are held back; null if they are not. */
  async heldSince(): Promise<Date | null> {
    const hold = await this.database.repository(MonitorHold).findOneBy({ id: 1, told: false });
    return hold?.since ?? null;
  }

  /** Whether alarms of this kind of monitor are held back. */
  concerns({ type }: Pick<MonitorTask, 'type'>): boolean {
    return OUTBOUND.includes(type);
  }

  /** Whether alarms of these checks must be held back. @param batch results not stored yet */
  async holds(batch: readonly FinishedCheck[]): Promise<boolean> {
    const { monitorNeutral } = this.settings.current;
    if (monitorNeutral === '' || !batch.some((check) => this.fails(check))) return false;
    const hold = await this.database.repository(MonitorHold).findOneBy({ id: 1 });
    if (hold) return this.isActive(hold);
    if (!(await this.mostFail(batch)) || (await this.neutral.answers(monitorNeutral))) return false;
    await this.begin.run(this.clock.now());
    return true;
  }

  /** Ends an obsolete hold in the absence of checks. @returns 1 if there was one */
  @Job({ name: 'monitor-network', everyMinutes: 1 })
  async review(): Promise<number> {
    const hold = await this.database.repository(MonitorHold).findOneBy({ id: 1 });
    if (!hold) return 0;
    await this.isActive(hold);
    return 1;
  }

  /** Whether a hold is still active. An expired hold is reported once and kept until the network is back, so that no new one starts. */
  private async isActive({ since, told }: MonitorHold): Promise<boolean> {
    const { monitorNeutral } = this.settings.current;
    if (monitorNeutral === '' || (await this.neutral.answers(monitorNeutral))) {
      await this.database.repository(MonitorHold).delete({ id: 1, since });
      return false;
    }
    if (told) return false;
    const now = this.clock.now();
    if (now.getTime() - since.getTime() < MAX_HOLD_MS) return true;
    await this.database.transaction(async () => {
      const { affected } = await this.giveUp.run(new Date(now.getTime() - MAX_HOLD_MS));
      if (affected === 1) await this.notifyAdministrators(since, monitorNeutral);
    });
    return false;
  }

  private async notifyAdministrators(since: Date, target: string): Promise<void> {
    await this.notices.send({
      to: 'administrators',
      kind: 'monitor',
      level: 'danger',
      key: `monitor-network:${since.getTime()}`,
      title: { key: 'monitor.notice.network' },
      text: { key: 'monitor.notice.network_text', params: { target, minutes: MAX_HOLD_MS / 60_000 } },
      link: '/admin/monitors',
    });
  }

  /** Monitors that were already down are not significant. */
  private fails({ task, outcome }: FinishedCheck): boolean {
    return this.concerns(task) && !task.told && typeof outcome === 'object' && outcome !== null && !outcome.ok;
  }

  private async mostFail(batch: readonly FinishedCheck[]): Promise<boolean> {
    const found = batch.filter(({ task, outcome }) => this.concerns(task) && !task.told && typeof outcome === 'object' && outcome !== null);
    const known = new Set(found.map(({ task }) => task.id));
    const before = (await this.asked.all(new Date(this.clock.now().getTime() - ASKED_WITHIN_MS))).filter(({ id }) => !known.has(id));
    const recent = [
      ...found.map((check) => ({ ...check.task, isFailing: this.fails(check) })),
      ...before.map((row) => ({ ...row, isFailing: Number(row.fails) > 0 })),
    ].slice(0, Math.max(ASKED, found.length));
    const failing = recent.filter(({ isFailing }) => isFailing);
    const hosts = new Set(recent.map(({ type, url }) => hostOfTarget(type, url) ?? url));
    return recent.length >= MIN_MONITORS && hosts.size >= MIN_HOSTS && failing.length * 2 > recent.length;
  }
}
