import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';
import type { ItemStatus, ItemType, StoreVersion } from '../entities/index.js';

import type { ClosedItem, ItemUpdate, Updates, WithdrawnVersion } from './update-check.dto.js';
import { compareVersions, meets } from '../packages/index.js';

/** An item installed on a panel. */
export interface InstalledItem {
  readonly type: ItemType;
  readonly slug: string;
  readonly version: string;
}

interface Row {
  id: number;
  type: ItemType;
  slugKey: string;
  slug: string;
  status: ItemStatus;
  requires: string;
  versionRequires: string | null;
  version: string | null;
  channel: StoreVersion['channel'] | null;
  changelog: string | null;
  sha256: string | null;
  signature: string | null;
  keyId: string | null;
}

interface WithdrawnRow extends ClosedRow {
  versionKey: string;
}

interface ClosedRow {
  type: ItemType;
  slugKey: string;
  reason: string;
  since: string;
}

/** Reports to panels which of their plugins and themes have newer versions and which are discontinued. */
@Injectable()
export class UpdateCheck {
  constructor(private readonly database: Database) {}

  /** Returns results in request order; omits items that are unknown, unpublished or incompatible with the panel. */
  async check(panelVersion: string, installed: readonly InstalledItem[], withBeta = false): Promise<Updates> {
    const updates: ItemUpdate[] = [];
    const closed: ClosedItem[] = [];
    if (installed.length === 0) return { updates, closed, withdrawn: [] };
    const [offered, gone, withdrawn] = await Promise.all([this.rows(installed), this.closedRows(installed), this.withdrawn(installed)]);
    const isCompatible = ({ requires, versionRequires }: Row): boolean =>
      meets(panelVersion, requires) && meets(panelVersion, versionRequires ?? '');
    if (withBeta) offered.push(...(await this.rows(installed, true)).filter((row) => row.version !== null && isCompatible(row)));
    const rows = new Map<string, Row>();
    for (const row of offered) {
      const [key, other] = [keyOf(row.type, row.slugKey), rows.get(keyOf(row.type, row.slugKey))];
      if (!other || (row.version !== null && compareVersions(row.version, other.version ?? '') > 0)) rows.set(key, row);
    }
    const closedRows = new Map(gone.map((row) => [keyOf(row.type, row.slugKey), row]));
    for (const { type, slug, version } of installed) {
      const key = keyOf(type, slug.toLowerCase());
      const [row, closing] = [rows.get(key), closedRows.get(key)];
      // Even if another item is pending under the slug, the installed one is discontinued.
      if (closing && row?.status !== 'approved')
        closed.push({ type, slug, reason: closing.reason, since: fromSqlTime(closing.since).toISOString() });
      else if (row?.status === 'approved' && row.version !== null && compareVersions(row.version, version) > 0 && isCompatible(row)) {
        const { changelog, sha256, signature, keyId } = row;
        const channel = row.channel!;
        const requires = row.versionRequires || row.requires;
        updates.push({
          type,
          slug,
          version: row.version,
          channel,
          changelog: changelog!,
          download: `/api/items/${row.id}${channel === 'beta' ? `/versions/${encodeURIComponent(row.version)}` : ''}/download`,
          sha256: sha256!,
          signature: signature!,
          key_id: keyId!,
          requires,
        });
      }
    }
    return { updates, closed, withdrawn };
  }

  /** @param areBetas whether to return betas instead of the current versions */
  private rows(installed: readonly InstalledItem[], areBetas = false): Promise<Row[]> {
    const named = namesOf(installed);
    const item = (property: string, name = property): string => `{StoreItem}.{StoreItem.${property}} AS ${name}`;
    const version = (property: string, name = property): string => `{StoreVersion}.{StoreVersion.${property}} AS ${name}`;
    const columns = [
      ...['id', 'type', 'slugKey', 'slug', 'status'].map((property) => item(property)),
      item('requiresPanel', 'requires'),
      ...['version', 'channel', 'changelog', 'sha256', 'signature', 'keyId'].map((property) => version(property)),
      version('requiresPanel', 'versionRequires'),
    ];
    const wanted = areBetas
      ? "{StoreVersion}.{StoreVersion.channel} = 'beta'"
      : '{StoreVersion}.{StoreVersion.versionKey} = LOWER({StoreItem}.{StoreItem.version})';
    const sql = `SELECT ${columns.join(', ')}
      FROM {StoreItem} LEFT JOIN {StoreVersion} ON {StoreVersion}.{StoreVersion.itemId} = {StoreItem}.{StoreItem.id}
        AND ${wanted}
        AND {StoreVersion}.{StoreVersion.status} = 'approved'
      WHERE ${named
        .map(
          ({ keys }) => `({StoreItem}.{StoreItem.type} = ?
        AND {StoreItem}.{StoreItem.slugKey} IN (${placeholders(keys)}))`,
        )
        .join(' OR ')}`;
    return this.database.query<Row>(
      this.database.resolve(sql),
      named.flatMap(({ type, keys }) => [type, ...keys]),
    );
  }

  /** Returns which of the installed versions were withdrawn. */
  private async withdrawn(installed: readonly InstalledItem[]): Promise<WithdrawnVersion[]> {
    const named = namesOf(installed);
    const versions = [...new Set(installed.map(({ version }) => version.toLowerCase()))];
    const sql = `SELECT {StoreItem}.{StoreItem.type} AS type, {StoreItem}.{StoreItem.slugKey} AS slugKey,
        {StoreVersion}.{StoreVersion.versionKey} AS versionKey, {StoreVersion}.{StoreVersion.withdrawnReason} AS reason,
        {StoreVersion}.{StoreVersion.withdrawnAt} AS since
      FROM {StoreItem} JOIN {StoreVersion} ON {StoreVersion}.{StoreVersion.itemId} = {StoreItem}.{StoreItem.id}
      WHERE (${named
        .map(({ keys }) => `({StoreItem}.{StoreItem.type} = ? AND {StoreItem}.{StoreItem.slugKey} IN (${placeholders(keys)}))`)
        .join(' OR ')})
        AND {StoreVersion}.{StoreVersion.status} = 'withdrawn' AND {StoreVersion}.{StoreVersion.versionKey} IN (${placeholders(versions)})`;
    const rows = await this.database.query<WithdrawnRow>(this.database.resolve(sql), [
      ...named.flatMap(({ type, keys }) => [type, ...keys]),
      ...versions,
    ]);
    const found = new Map(rows.map((row) => [`${keyOf(row.type, row.slugKey)}/${row.versionKey}`, row]));
    return installed.flatMap(({ type, slug, version }) => {
      const row = found.get(`${keyOf(type, slug.toLowerCase())}/${version.toLowerCase()}`);
      return row ? [{ type, slug, version, reason: row.reason, since: fromSqlTime(row.since).toISOString() }] : [];
    });
  }

  private closedRows(installed: readonly InstalledItem[]): Promise<ClosedRow[]> {
    const named = namesOf(installed);
    const isNamed = named.map(({ keys }) => `({StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} IN (${placeholders(keys)}))`);
    const sql = `SELECT {StoreSlugHistory.type} AS type, {StoreSlugHistory.slugKey} AS slugKey, {StoreSlugHistory.closedReason} AS reason,
      {StoreSlugHistory.closedAt} AS since
      FROM {StoreSlugHistory}
      WHERE (${isNamed.join(' OR ')})
        AND {StoreSlugHistory.closedAt} IS NOT NULL`;
    return this.database.query<ClosedRow>(
      this.database.resolve(sql),
      named.flatMap(({ type, keys }) => [type, ...keys]),
    );
  }
}

/** The requested slugs by type, without duplicates. */
function namesOf(installed: readonly InstalledItem[]): { type: ItemType; keys: string[] }[] {
  const keysOf = (type: ItemType): string[] => [
    ...new Set(installed.filter((item) => item.type === type).map((item) => item.slug.toLowerCase())),
  ];
  return (['plugin', 'theme'] as const).map((type) => ({ type, keys: keysOf(type) })).filter(({ keys }) => keys.length > 0);
}

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const keyOf = (type: ItemType, slugKey: string): string => `${type}/${slugKey}`;
