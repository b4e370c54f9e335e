import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

/** Days of the series. */
const SERIES_DAYS = 30;
const TOP_ITEMS = 10;
const DAY_MS = 86_400_000;

/** The store in numbers. */
@Injectable()
export class StoreStats {
  private readonly totals;
  private readonly states;
  private readonly series;
  private readonly top;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.states = database.statement<{ type: string; status: string; n: number }>(
      'SELECT {StoreItem.type} AS type, {StoreItem.status} AS status, COUNT(*) AS n FROM {StoreItem} GROUP BY {StoreItem.type}, {StoreItem.status}',
    );
    this.totals = database.statement<{ users: number; downloads: number; pendingEdits: number; waitingVersions: number; openReports: number }>(
      `SELECT (SELECT COUNT(*) FROM {StoreUser}) AS users, (SELECT COALESCE(SUM({StoreItem.downloads}), 0) FROM {StoreItem}) AS downloads,
        (SELECT COUNT(*) FROM {StoreEditRequest} WHERE {StoreEditRequest.status} = 'pending') AS pendingEdits,
        (SELECT COUNT(*) FROM {StoreVersion} WHERE {StoreVersion.status} = 'pending') AS waitingVersions,
        (SELECT COUNT(*) FROM {StoreReport} WHERE {StoreReport.status} = 'open') AS openReports`,
    );
    this.series = database.statement<{ day: string; downloads: number; visitors: number }>(
      `SELECT {StoreDownloadDay.day} AS day, SUM({StoreDownloadDay.downloads}) AS downloads, SUM({StoreDownloadDay.visitors}) AS visitors
       FROM {StoreDownloadDay} WHERE {StoreDownloadDay.day} > ? GROUP BY {StoreDownloadDay.day} ORDER BY {StoreDownloadDay.day}`,
    );
    this.top = database.statement<{ id: number; name: string; downloads: number }>(
      `SELECT {StoreItem.id} AS id, {StoreItem.name} AS name, {StoreItem.downloads} AS downloads FROM {StoreItem}
       WHERE {StoreItem.status} = 'approved' ORDER BY {StoreItem.downloads} DESC, {StoreItem.id} DESC LIMIT ${TOP_ITEMS}`,
    );
  }

  /** Numbers of this moment; downloads of each of the last 30 days that had any. */
  async read() {
    const since = new Date(this.clock.now().getTime() - SERIES_DAYS * DAY_MS).toISOString().slice(0, 10);
    const [states, totals, days, top] = await Promise.all([this.states.all(), this.totals.get(), this.series.all(since), this.top.all()]);
    const count = (matches: (row: { type: string; status: string }) => boolean): number => states.filter(matches).reduce((sum, { n }) => sum + Number(n), 0);
    return {
      plugins: count(({ type, status }) => type === 'plugin' && status === 'approved'),
      themes: count(({ type, status }) => type === 'theme' && status === 'approved'),
      pending: count(({ status }) => status === 'pending'),
      users: Number(totals!.users),
      downloads: Number(totals!.downloads),
      pendingEdits: Number(totals!.pendingEdits),
      waiting_versions: Number(totals!.waitingVersions),
      open_reports: Number(totals!.openReports),
      items: states.map(({ type, status, n }) => ({ type, status, count: Number(n) })),
      days: days.map(({ day, downloads, visitors }) => ({ day: String(day).slice(0, 10), downloads: Number(downloads), visitors: Number(visitors) })),
      top: top.map((row) => ({ ...row, downloads: Number(row.downloads) })),
    };
  }
}
