import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import type { ItemStatus, ItemType } from '../entities/index.js';
import { UploadRefusals } from '../uploads/index.js';

import { DownloadDays } from './download-days.js';
import { CachedAggregate } from './cached-aggregate.js';

/** Days of the download series and of rejected uploads. */
const SERIES_DAYS = 30;
const TOP = 10;
/** How long store-wide figures are reused regardless of other processes' writes, in milliseconds. */
const MAX_AGE_MS = 10_000;

interface StateCount {
  type: ItemType;
  status: ItemStatus;
  n: number;
}

/**
 * Statistics of the store. Pending work is counted each time with small indexes; store-wide figures scan a whole narrow index and are
 * cached, see {@link CachedAggregate}.
 */
@Injectable()
export class StoreStats {
  private readonly waiting;
  private readonly totals;
  private readonly oldest;
  private readonly top;
  private readonly items;
  private readonly downloads;
  private readonly accounts;
  private readonly storage;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly days: DownloadDays,
    private readonly refusals: UploadRefusals,
  ) {
    const states = `SELECT {StoreItem.type} AS type, {StoreItem.status} AS status, COUNT(*) AS n FROM {StoreItem}`;
    this.waiting = database.statement<StateCount>(
      `${states} WHERE {StoreItem.status} = 'pending' GROUP BY {StoreItem.type}, {StoreItem.status}`,
    );
    this.totals = database.statement<
      Record<'pendingEdits' | 'waitingVersions' | 'openReports' | 'newWeek' | 'newMonth' | 'downloaded', number>
    >(
      `SELECT (SELECT COUNT(*) FROM {StoreEditRequest} WHERE {StoreEditRequest.status} = 'pending') AS pendingEdits,
        (SELECT COUNT(*) FROM {StoreVersion} WHERE {StoreVersion.status} = 'pending') AS waitingVersions,
        (SELECT COUNT(*) FROM {StoreReport} WHERE {StoreReport.status} = 'open') AS openReports,
        (SELECT COUNT(*) FROM {StoreUser} WHERE {StoreUser.createdAt} > ?) AS newWeek,
        (SELECT COUNT(*) FROM {StoreUser} WHERE {StoreUser.createdAt} > ?) AS newMonth,
        (SELECT COUNT(*) FROM {StoreDownload} WHERE {StoreDownload.id} > ?) AS downloaded`,
    );
    this.oldest = database.statement<{ createdAt: string }>(
      `SELECT {StoreVersion.createdAt} AS createdAt FROM {StoreVersion} WHERE {StoreVersion.status} = 'pending' ORDER BY {StoreVersion.id}
        LIMIT 1`,
    );
    this.top = database.statement<{ id: number; name: string; downloads: number }>(
      `SELECT {StoreItem.id} AS id, {StoreItem.name} AS name, {StoreItem.downloads} AS downloads FROM {StoreItem}
       WHERE {StoreItem.status} = 'approved' ORDER BY {StoreItem.downloads} DESC, {StoreItem.id} DESC LIMIT ${TOP}`,
    );
    // Every decision inserts an audit row; a new version may turn a rejected item into a pending one.
    const itemSources = [
      { entity: 'StoreItem', kinds: ['inserted', 'deleted'] },
      { entity: 'StoreAudit', kinds: ['inserted'] },
      { entity: 'StoreVersion', kinds: ['inserted'] },
    ] as const;
    const everyState = database.statement<StateCount>(`${states} GROUP BY {StoreItem.status}, {StoreItem.type}`);
    const categories = database.statement<{ name: string; n: number }>(
      `SELECT {StoreItem.category} AS name, COUNT(*) AS n FROM {StoreItem} WHERE {StoreItem.status} = 'approved'
        AND {StoreItem.category} <> ''
       GROUP BY {StoreItem.category} ORDER BY n DESC, name LIMIT ${TOP}`,
    );
    this.items = new CachedAggregate(database, itemSources, MAX_AGE_MS, async () => ({
      states: await everyState.all(),
      categories: await categories.all(),
    }));
    // One statement for a consistent snapshot; later downloads are counted by the log.
    const downloads = database.statement<{ total: number; lastEntry: number }>(
      `SELECT COALESCE(SUM({StoreItem.downloads}), 0) AS total, (SELECT COALESCE(MAX({StoreDownload.id}), 0)
        FROM {StoreDownload}) AS lastEntry FROM {StoreItem}`,
    );
    this.downloads = new CachedAggregate(
      database,
      [{ entity: 'StoreItem', kinds: ['inserted', 'deleted'] }],
      MAX_AGE_MS,
      async () => (await downloads.get())!,
    );
    const accounts = database.statement<{ role: string; status: string; n: number }>(
      'SELECT {StoreUser.role} AS role, {StoreUser.status} AS status, COUNT(*) AS n FROM {StoreUser} ' +
        'GROUP BY {StoreUser.role}, {StoreUser.status}',
    );
    this.accounts = new CachedAggregate(database, [{ entity: 'StoreUser', kinds: ['inserted', 'updated', 'deleted'] }], MAX_AGE_MS, () =>
      accounts.all(),
    );
    // A package shared by several versions is stored once.
    const storage = database.statement<Record<'packages' | 'packageBytes' | 'pictures' | 'pictureBytes', number>>(
      `SELECT COUNT(*) AS packages, COALESCE(SUM(size), 0) AS packageBytes,
        (SELECT COUNT(*) FROM {StoreImage}) AS pictures, (SELECT COALESCE(SUM({StoreImage.size}), 0) FROM {StoreImage}) AS pictureBytes
       FROM (SELECT MAX({StoreVersion.zipSize}) AS size FROM {StoreVersion} GROUP BY {StoreVersion.sha256}) packages`,
    );
    const storageSources = [
      { entity: 'StoreVersion', kinds: ['inserted'] },
      { entity: 'StoreItem', kinds: ['deleted'] },
      { entity: 'StoreImage', kinds: ['inserted', 'deleted'] },
    ] as const;
    this.storage = new CachedAggregate(database, storageSources, MAX_AGE_MS, async () => (await storage.get())!);
  }

  /** Returns the current statistics; store-wide figures may lag ten seconds behind other processes. */
  async read() {
    const now = this.clock.now().getTime();
    const ago = (days: number): Date => new Date(now - days * DAY_MS);
    const [{ states, categories }, waiting, downloads, accounts, storage] = await Promise.all([
      this.items.get(),
      this.waiting.all(),
      this.downloads.get(),
      this.accounts.get(),
      this.storage.get(),
    ]);
    const [totals, oldest, top, days, refused] = await Promise.all([
      this.totals.get(ago(7), ago(30), downloads.lastEntry),
      this.oldest.get(),
      this.top.all(),
      this.days.last(SERIES_DAYS),
      this.refusals.ofLast(SERIES_DAYS),
    ]);
    const items = [...states.filter(({ status }) => status !== 'pending'), ...waiting].map(({ type, status, n }) => ({
      type,
      status,
      count: Number(n),
    }));
    const published = (type: ItemType): number =>
      sum(items.filter((row) => row.type === type && row.status === 'approved').map(({ count }) => count));
    const people = (fits: (row: { role: string; status: string }) => boolean): number => sum(accounts.filter(fits).map(({ n }) => n));
    const downloadsOfLast = (length: number): number =>
      sum(days.filter(({ day }) => day > ago(length).toISOString().slice(0, 10)).map((row) => row.downloads));
    return {
      plugins: published('plugin'),
      themes: published('theme'),
      // An item is pending while one of its versions is, published or not: docs/store-api.md "Review".
      pending: Number(totals!.waitingVersions),
      users: people(() => true),
      downloads: Number(downloads.total) + Number(totals!.downloaded),
      pendingEdits: Number(totals!.pendingEdits),
      waiting_versions: Number(totals!.waitingVersions),
      oldest_waiting_seconds: oldest ? Math.max(0, Math.floor((now - fromSqlTime(oldest.createdAt).getTime()) / 1_000)) : null,
      open_reports: Number(totals!.openReports),
      items,
      accounts: {
        active: people(({ status }) => status === 'active'),
        banned: people(({ status }) => status === 'banned'),
        administrators: people(({ role, status }) => role === 'admin' && status === 'active'),
        new_7_days: Number(totals!.newWeek),
        new_30_days: Number(totals!.newMonth),
      },
      downloads_today: downloadsOfLast(1),
      downloads_7_days: downloadsOfLast(7),
      downloads_30_days: downloadsOfLast(SERIES_DAYS),
      days,
      top: top.map((row) => ({ ...row, downloads: Number(row.downloads) })),
      categories: categories.map(({ name, n }) => ({ name, count: Number(n) })),
      storage: {
        packages: Number(storage.packages),
        package_bytes: Number(storage.packageBytes),
        pictures: Number(storage.pictures),
        picture_bytes: Number(storage.pictureBytes),
      },
      refused_uploads: refused,
    };
  }
}

function sum(numbers: readonly (number | string)[]): number {
  return numbers.reduce<number>((total, number) => total + Number(number), 0);
}
