import { Injectable } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import ipaddr from 'ipaddr.js';

import { OutboundHttp } from '../common/index.js';
import { AppConfig, BaseUrl } from '../config/index.js';
import { PACKAGE_LIMITS, type PackageType } from '../packaging/index.js';
import { API_VERSION } from '../sdk/index.js';

import { PluginStoreError } from './errors.js';
import {
  checkedAnswer,
  StoreItemsWire,
  StoreItemWire,
  StoreKeysWire,
  StoreRatingsWire,
  type StoreRatingWire,
  StoreRevocationsWire,
  StoreUpdatesWire,
  StoreVersionsWire,
  type StoreVersionWire,
} from './store-wire.js';

/** Maximum plugins or themes per update check. */
export const UPDATE_CHECK_BATCH = 100;

/** Name of this process's own store. */
const OWN = 'own';
/** Timeouts in milliseconds, for a response and for a package. */
const ANSWER_MS = 15_000;
const PACKAGE_MS = 120_000;
/** Maximum bytes of a response. */
const ANSWER_BYTES = 10 * 1024 * 1024;
const THIS_MACHINE = ['127.0.0.0/8', '::1/128'];

/** A search in a store. */
export interface StoreSearch {
  readonly keyword: string;
  readonly category: string;
  readonly sort: 'newest' | 'downloads';
  readonly page: number;
  readonly pageSize: number;
}

/** An installed item, as sent in an update check. */
export interface InstalledItem {
  readonly slug: string;
  readonly version: string;
}

/**
 * HTTP client of the plugin store: the one in `STORE_URL`, else the one of this process. Responses are validated; failures throw STORE_AWAY
 * (timeout or error) or STORE_ANSWER (not a valid store response).
 */
@Injectable()
export class StoreClient {
  private http: OutboundHttp | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Whether a store is configured. */
  get exists(): boolean {
    return this.config.storeUrl !== null || this.config.runs('store');
  }

  /** Name of the store; independent of the port its process listens on. */
  get name(): string {
    return this.config.storeUrl ?? OWN;
  }

  /** URL of the store for users. @throws PluginStoreError NO_STORE */
  get address(): string {
    if (!this.exists) throw new PluginStoreError('NO_STORE');
    return this.config.storeUrl ?? this.baseUrl.local();
  }

  /** Searches published plugins or themes. */
  search({ keyword, category, sort, page, pageSize }: StoreSearch, type: PackageType = 'plugin'): Promise<StoreItemsWire> {
    const query = new URLSearchParams({ type, sort, page: String(page), page_size: String(pageSize) });
    if (keyword !== '') query.set('keyword', keyword);
    if (category !== '') query.set('category', category);
    return this.get(StoreItemsWire, `/items?${query.toString()}`);
  }

  /** Returns an item by its slug. @throws PluginStoreError ITEM_UNKNOWN */
  item(slug: string, type: PackageType = 'plugin'): Promise<StoreItemWire> {
    return this.get(StoreItemWire, `/items/by-slug/${type}/${encodeURIComponent(slug)}`, 'ITEM_UNKNOWN');
  }

  /** Returns the published versions of an item, newest first. */
  async versions(id: number): Promise<StoreVersionWire[]> {
    const versions = await this.request(`/items/${id}/versions`, 'ITEM_UNKNOWN');
    return checkedAnswer(StoreVersionsWire, { versions }).versions;
  }

  /** Returns the newest ratings of an item. @param max maximum number, up to 100 */
  async ratings(id: number, max: number): Promise<StoreRatingWire[]> {
    return (await this.get(StoreRatingsWire, `/items/${id}/ratings?page_size=${max}`, 'ITEM_UNKNOWN')).items;
  }

  /** Returns the category names. */
  async categories(): Promise<string[]> {
    const names = await this.request('/items/categories', 'STORE_ANSWER');
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string' && name.length <= 40).slice(0, 100) : [];
  }

  keys(): Promise<StoreKeysWire> {
    return this.get(StoreKeysWire, '/signing-key');
  }

  revocations(): Promise<StoreRevocationsWire> {
    return this.get(StoreRevocationsWire, '/revocations');
  }

  /**
   * Runs an update check; answers about other items are dropped.
   *
   * @param installed plugins or themes from this store; at most {@link UPDATE_CHECK_BATCH}
   */
  async updates(
    installed: readonly InstalledItem[],
    { type = 'plugin', withBetas = false }: { type?: PackageType; withBetas?: boolean } = {},
  ): Promise<StoreUpdatesWire> {
    const items = installed.map(({ slug, version }) => ({ type, slug, version }));
    const answer = await this.client().request({
      url: `${this.address}/api/items/update-check`,
      method: 'POST',
      // Older stores do not know betas.
      body: { panel_version: API_VERSION, items, ...(withBetas && { beta: true }) },
      timeoutMs: ANSWER_MS,
      maxBytes: ANSWER_BYTES,
      maxRedirects: 0,
    });
    const { updates, closed, withdrawn } = checkedAnswer(StoreUpdatesWire, dataOf(answer, 'STORE_ANSWER'));
    const versions = new Map(installed.map(({ slug, version }) => [slug, version]));
    return {
      updates: updates.filter(({ slug }) => versions.has(slug)),
      closed: closed.filter(({ slug }) => versions.has(slug)),
      withdrawn: withdrawn?.filter(({ slug, version }) => versions.get(slug) === version),
    };
  }

  /** Downloads the package of a version to a new file. */
  async download(id: number, version: string, path: string): Promise<void> {
    const url = `${this.address}/api/items/${id}/versions/${encodeURIComponent(version)}/download`;
    const limits = { timeoutMs: PACKAGE_MS, maxBytes: PACKAGE_LIMITS.archiveBytes, maxRedirects: 0 };
    const { ok, code } = await this.client().download({ url, ...limits }, path);
    if (!ok) throw new PluginStoreError(code === 404 ? 'VERSION_UNKNOWN' : 'STORE_AWAY', { version });
  }

  private async get<T extends object>(
    type: ClassConstructor<T>,
    path: string,
    missing: 'ITEM_UNKNOWN' | 'STORE_ANSWER' = 'STORE_ANSWER',
  ): Promise<T> {
    return checkedAnswer(type, await this.request(path, missing));
  }

  private async request(path: string, missing: 'ITEM_UNKNOWN' | 'STORE_ANSWER'): Promise<unknown> {
    const url = `${this.address}/api${path}`;
    return dataOf(await this.client().request({ url, timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES, maxRedirects: 0 }), missing);
  }

  /** Allows a store on this machine although its address is not public. */
  private client(): OutboundHttp {
    this.http ??= new OutboundHttp({ allowCidrs: [...this.config.outboundAllow, ...this.ownNetworks()] });
    return this.http;
  }

  private ownNetworks(): string[] {
    const host = new URL(this.address).hostname.replace(/^\[|\]$/g, '');
    if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost') ? THIS_MACHINE : [];
    const address = ipaddr.parse(host);
    if (address.range() === 'loopback') return THIS_MACHINE;
    // This process may listen on a private network address.
    return this.config.storeUrl === null ? [`${host}/${address.kind() === 'ipv6' ? 128 : 32}`] : [];
  }
}

/** Returns `data` of a store's response envelope. */
function dataOf({ ok, code, body }: { ok: boolean; code: number; body: string }, missing: 'ITEM_UNKNOWN' | 'STORE_ANSWER'): unknown {
  if (code === 404) throw new PluginStoreError(missing);
  if (!ok) throw new PluginStoreError('STORE_AWAY');
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch (error) {
    throw new PluginStoreError('STORE_ANSWER', {}, undefined, { cause: error });
  }
  if (typeof answer !== 'object' || answer === null || (answer as { code?: unknown }).code !== 0)
    throw new PluginStoreError('STORE_ANSWER');
  return (answer as { data?: unknown }).data;
}
