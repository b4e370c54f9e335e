import { Injectable } from '@nestjs/common';

import { AgentNode } from '../agents/index.js';
import { localeOf, timeInSentence, translate, type Locale } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, MAX_ID } from '../database/index.js';
import type { RequestContext } from '../operations/index.js';
import { PageMissing, type Bar, type FoundRows, type ListRow, type ListState } from '../web/index.js';

import { MonitorRepository, monitorWire, type Asker } from './records/index.js';
import type { MonitorKind, MonitorTask } from './entities/index.js';
import { MonitorError } from './errors.js';
import { MonitorStats, RANGES, percent, responseChart, type Range } from './stats/index.js';

/** Number of checks shown as bars. */
const BEATS = 30;

/** Operation names per side. */
const OPERATIONS = {
  user: { save: 'monitor_save', test: 'monitor_test', toggle: 'monitor_toggle', remove: 'monitor_del', push: 'monitor_push' },
  admin: { save: 'jkbc', test: 'jkcs', toggle: 'jkkg', remove: 'jksc', push: 'jkts' },
} as const;

/** Data of a monitor's form. */
export interface MonitorForm {
  readonly task: { readonly task_type: string };
  readonly operation: string;
  readonly back: string;
  /** Selectable agents. */
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  /** Whether inversion is offered; always for a monitor that already uses it. */
  readonly has_upside_down: boolean;
}

/** Kinds for which inversion makes sense, such as a port that must be closed. */
const CLOSABLE: readonly MonitorKind[] = ['url', 'tcp', 'dns', 'push'];

/** Data of the monitor pages on both sides. */
@Injectable()
export class MonitorViews {
  constructor(
    private readonly repository: MonitorRepository,
    private readonly stats: MonitorStats,
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns the monitors of an account and its limit. */
  async own({ user }: RequestContext): Promise<{ tasks: readonly MonitorTask[]; max: number }> {
    const [tasks, max] = await Promise.all([this.repository.ofAccount(user!), this.repository.limitOf(user!)]);
    return { tasks, max };
  }

  /** Returns the rows selected by the list's address. */
  async part(tasks: readonly MonitorTask[], { page, size, text, filters }: ListState, locale: Locale): Promise<FoundRows> {
    const wanted = text.toLowerCase();
    const found = tasks.filter(
      ({ enabled, state, type, name, url, tags }) =>
        (filters.state ?? (enabled ? state : 'off')) === (enabled ? state : 'off') &&
        (filters.task_type ?? type) === type &&
        [name, url, tags].some((words) => words.toLowerCase().includes(wanted)),
    );
    const shown = found.slice((page - 1) * size, page * size);
    return { total: found.length, rows: await Promise.all(shown.map((task) => this.row(task, locale))) };
  }

  /** Returns the details of a monitor. @throws PageMissing */
  async detail(call: RequestContext, side: 'admin' | 'user'): Promise<Record<string, unknown> & { task: { task_type: string } }> {
    const task = await this.task(call, side);
    const locale = localeOf(call.locale);
    const range = Object.hasOwn(RANGES, call.query.range ?? '') ? (call.query.range as Range) : '24h';
    const [beats, uptimes, points] = await Promise.all([
      this.beats(task.id, locale),
      this.stats.uptimes(task.id),
      this.stats.points(task.id, range),
    ]);
    const ranges = Object.keys(RANGES) as Range[];
    return {
      task: { ...monitorWire(task, locale, this.clock.timezone), task_type: task.type },
      operations: OPERATIONS[side],
      beats,
      uptimes: ranges.map((name) => ({ label: translate(locale, `monitor.uptime.${name}`), value: percent(uptimes[name]) })),
      ranges: ranges.map((name) => ({
        label: translate(locale, `monitor.range.${name}`),
        href: `/${side}/monitor?id=${task.id}&range=${name}`,
        current: name === range,
      })),
      chart: responseChart(points, range, locale, this.clock.timezone),
    };
  }

  /** Returns the form of a new or existing monitor. @throws PageMissing for a missing monitor or a kind not offered on that side */
  async form(call: RequestContext, side: 'admin' | 'user', offered: readonly MonitorKind[]): Promise<MonitorForm> {
    const task = call.query.id ? await this.task(call, side) : this.plain(call.query.kind, offered);
    const agents = task.type === 'server' ? await this.database.repository(AgentNode).find({ order: { name: 'ASC' }, take: 500 }) : [];
    return {
      task: { ...monitorWire(task, localeOf(call.locale), this.clock.timezone), task_type: task.type },
      operation: OPERATIONS[side].save,
      back: task.id > 0 ? `/${side}/monitor?id=${task.id}` : `/${side}/monitors`,
      agents: agents.map(({ nodeId, name }) => ({ id: nodeId, name: name || nodeId })),
      has_upside_down: task.upsideDown || CLOSABLE.includes(task.type),
    };
  }

  private async row(task: MonitorTask, locale: Locale): Promise<ListRow> {
    const [beats, uptime] = await Promise.all([this.beats(task.id, locale), this.stats.uptime(task.id, '24h')]);
    const took = task.lastMs === null ? '' : `${task.lastMs} ms`;
    return { ...monitorWire(task, locale, this.clock.timezone), took, beats, uptime: percent(uptime) };
  }

  private async beats(id: number, locale: Locale): Promise<Bar[]> {
    const beats = await this.stats.beats(id, BEATS);
    return beats.map(({ ok, at, ms }) => ({
      ok,
      text:
        `${timeInSentence(at, this.clock.timezone)} ` +
        `${translate(locale, ok ? 'monitor.test.ok' : 'monitor.test.failed')}${ms === null ? '' : ` ${ms} ms`}`,
    }));
  }

  private async task(call: RequestContext, side: 'admin' | 'user'): Promise<MonitorTask> {
    const id = Number(call.query.id);
    if (!Number.isInteger(id) || id < 1 || id > MAX_ID) throw new PageMissing();
    const asker: Asker = side === 'admin' ? 'admin' : call.user!;
    return this.repository.find(id, asker).catch((error: unknown) => {
      throw error instanceof MonitorError ? new PageMissing() : error;
    });
  }

  /** Returns a new monitor with the defaults of its kind. */
  private plain(wanted: string | undefined, offered: readonly MonitorKind[]): MonitorTask {
    const kind = offered.find((name) => name === wanted);
    if (!kind) throw new PageMissing();
    return this.repository.draft(kind, this.clock.now());
  }
}
