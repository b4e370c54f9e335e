import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { HostUserDirectory } from '../../hosting/index.js';
import { renderMarkdown } from '../../theme/index.js';
import { Incident, IncidentUpdate, MonitorTask, StatusPage, type MonitorState } from '../entities/index.js';
import { UNIT_MS, beginOf } from '../stats/index.js';

import { dayBars, firstDay, type CheckSum, type DayBar } from './day-bars.js';
import { MAX_SHOWN } from './status-pages.js';

/** How long the contents of a page are cached, in milliseconds. */
const KEPT_MS = 15_000;
/** Maximum number of cached pages. */
const MAX_KEPT = 200;
/** Maximum numbers of shown open incidents, resolved incidents and updates. */
const MAX_OPEN = 20;
const MAX_PAST = 20;
const MAX_UPDATES = 400;

/** Public state of a monitor. */
type ShownState = 'up' | 'down' | 'maintenance' | 'unknown';

const STATES: Readonly<Record<MonitorState, ShownState>> = { up: 'up', down: 'down', maintenance: 'maintenance', pending: 'unknown' };

interface ShownMonitor {
  readonly name: string;
  readonly state: ShownState;
  readonly percent: number | null;
  readonly bars: readonly DayBar[];
}

/** Contents of a status page, without the monitors' targets and responses. */
export interface StatusView {
  readonly state: ShownState | 'incident';
  readonly monitors: readonly ShownMonitor[];
  readonly open: readonly object[];
  readonly past: readonly object[];
  readonly at: string;
}

interface Kept {
  readonly until: number;
  readonly view: Promise<StatusView>;
}

interface SumRow {
  id: number;
  at: string;
  checks: number;
  oks: number;
}

/** Public status pages. Their contents are cached for some seconds, so that the load does not depend on the number of visitors. */
@Injectable()
export class PublicStatus {
  private readonly kept = new Map<number, Kept>();
  private readonly sums;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly accounts: HostUserDirectory,
  ) {
    this.sums = database.statement<SumRow>(
      `SELECT {MonitorStat.taskId} AS id, {MonitorStat.at} AS at, {MonitorStat.checks} AS checks, {MonitorStat.oks} AS oks
       FROM {MonitorTask} JOIN {MonitorStat} ON {MonitorStat.taskId} = {MonitorTask.id}
       WHERE {MonitorTask.statusPageId} = ? AND {MonitorStat.unit} = ? AND {MonitorStat.at} >= ?`,
    );
  }

  /** Returns the page at an address, also a disabled one; null if it does not exist, is not public, or its owner may not sign in. */
  async find(slug: string): Promise<StatusPage | null> {
    const page = await this.database.repository(StatusPage).findOneBy({ slug, isPublic: true });
    if (!page || page.accountId === 0) return page;
    const owner = await this.accounts.findById(page.accountId);
    return owner && !owner.refusal ? page : null;
  }

  /** Returns the contents of a page. */
  view({ id }: StatusPage): Promise<StatusView> {
    const now = this.clock.now();
    const kept = this.kept.get(id);
    if (kept && kept.until > now.getTime()) return kept.view;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const view = this.read(id, now);
    this.kept.set(id, { until: now.getTime() + KEPT_MS, view });
    view.catch(() => this.kept.delete(id));
    return view;
  }

  /** Invalidates the cache of a page after a change in this process. */
  forget(id: number): void {
    this.kept.delete(id);
  }

  private async read(pageId: number, now: Date): Promise<StatusView> {
    const incidents = this.database.repository(Incident);
    const order = { startedAt: 'DESC', id: 'DESC' } as const;
    const since = firstDay(now);
    const [tasks, days, hours, minutes, all] = await Promise.all([
      this.database.repository(MonitorTask).find({ where: { statusPageId: pageId }, order: { id: 'ASC' }, take: MAX_SHOWN }),
      this.sums.all(pageId, 'd', since),
      this.sums.all(pageId, 'h', new Date(beginOf('d', now).getTime() - UNIT_MS.d)),
      this.sums.all(pageId, 'm', new Date(beginOf('h', now).getTime() - UNIT_MS.h)),
      incidents.find({ where: { pageId }, order, take: MAX_OPEN + MAX_PAST }),
    ]);
    const monitors = tasks.map((task) => {
      const sumsBy = { days: sumsOf(days, task.id), hours: sumsOf(hours, task.id), minutes: sumsOf(minutes, task.id) };
      return shownMonitor(task, dayBars(sumsBy, now));
    });
    const views = await this.incidentViews(all);
    const open = views.filter(({ state }) => state !== 'resolved').slice(0, MAX_OPEN);
    const past = views.filter(({ state }) => state === 'resolved').slice(0, MAX_PAST);
    return { state: stateOf(monitors, open.length > 0), monitors, open, past, at: now.toISOString() };
  }

  private async incidentViews(incidents: readonly Incident[]) {
    const ids = incidents.map(({ id }) => id);
    const updates =
      ids.length === 0
        ? []
        : await this.database.repository(IncidentUpdate).find({ where: { incidentId: In(ids) }, order: { id: 'DESC' }, take: MAX_UPDATES });
    const written = await Promise.all(
      updates.map(async ({ incidentId, state, content, createdAt }) => ({
        incidentId,
        state,
        at: createdAt.toISOString(),
        html: await renderMarkdown(content),
      })),
    );
    return incidents.map(({ id, title, severity, state, startedAt, resolvedAt }) => ({
      title,
      severity,
      state,
      started_at: startedAt.toISOString(),
      resolved_at: resolvedAt?.toISOString() ?? '',
      updates: written.filter(({ incidentId }) => incidentId === id),
    }));
  }
}

function shownMonitor({ statusName, enabled, state }: MonitorTask, { bars, percent }: ReturnType<typeof dayBars>): ShownMonitor {
  return { name: statusName, state: enabled ? STATES[state] : 'unknown', percent, bars };
}

const sumsOf = (rows: readonly SumRow[], id: number): CheckSum[] =>
  rows
    .filter((row) => Number(row.id) === id)
    .map(({ at, checks, oks }) => ({ at: fromSqlTime(at), checks: Number(checks), oks: Number(oks) }));

function stateOf(monitors: readonly ShownMonitor[], hasIncident: boolean): StatusView['state'] {
  const any = (wanted: ShownState): boolean => monitors.some(({ state }) => state === wanted);
  if (any('down')) return 'down';
  if (hasIncident) return 'incident';
  if (any('maintenance')) return 'maintenance';
  return any('up') ? 'up' : 'unknown';
}
