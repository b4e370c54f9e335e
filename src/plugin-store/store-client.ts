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

/** Plugins or themes of one question about newer versions. */
export const ASKED_AT_ONCE = 100;

/** What the store of this process is known as. */
const OWN = 'own';
/** Milliseconds for an answer, and for a package. */
const ANSWER_MS = 15_000;
const PACKAGE_MS = 120_000;
/** Bytes of an answer. */
const ANSWER_BYTES = 10 * 1024 * 1024;
const THIS_MACHINE = ['127.0.0.0/8', '::1/128'];

/** What somebody looks for in a store. */
export interface StoreSearch {
  readonly keyword: string;
  readonly category: string;
  readonly sort: 'newest' | 'downloads';
  readonly page: number;
  readonly pageSize: number;
}

/** What is installed, as a store is asked about it. */
export interface AskedItem {
  readonly slug: string;
  readonly version: string;
}

/**
 * The store plugins come from, over HTTP: the one `STORE_URL` names, else the one of this process. Its answers are checked, and what is
 * none throws STORE_AWAY (no answer in time, an error) or STORE_ANSWER (something else than a store's answer).
 */
@Injectable()
export class StoreClient {
  private http: OutboundHttp | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Whether there is one. */
  get exists(): boolean {
    return this.config.storeUrl !== null || this.config.runs('store');
  }

  /** What it is known as; the same whatever port its process listens on. */
  get name(): string {
    return this.config.storeUrl ?? OWN;
  }

  /** Where people look at it. @throws PluginStoreError NO_STORE */
  get address(): string {
    if (!this.exists) throw new PluginStoreError('NO_STORE');
    return this.config.storeUrl ?? this.baseUrl.local();
  }

  /** Published plugins, or themes. */
  search({ keyword, category, sort, page, pageSize }: StoreSearch, type: PackageType = 'plugin'): Promise<StoreItemsWire> {
    const query = new URLSearchParams({ type, sort, page: String(page), page_size: String(pageSize) });
    if (keyword !== '') query.set('keyword', keyword);
    if (category !== '') query.set('category', category);
    return this.get(StoreItemsWire, `/items?${query.toString()}`);
  }

  /** @throws PluginStoreError ITEM_UNKNOWN */
  item(slug: string, type: PackageType = 'plugin'): Promise<StoreItemWire> {
    return this.get(StoreItemWire, `/items/by-slug/${type}/${encodeURIComponent(slug)}`, 'ITEM_UNKNOWN');
  }

  /** Published versions of an item, newest first. */
  async versions(id: number): Promise<StoreVersionWire[]> {
    const versions = await this.ask(`/items/${id}/versions`, 'ITEM_UNKNOWN');
    return checkedAnswer(StoreVersionsWire, { versions }).versions;
  }

  /** The newest ratings of an item. @param most at most 100 */
  async ratings(id: number, most: number): Promise<StoreRatingWire[]> {
    return (await this.get(StoreRatingsWire, `/items/${id}/ratings?page_size=${most}`, 'ITEM_UNKNOWN')).items;
  }

  /** Names of categories. */
  async categories(): Promise<string[]> {
    const names = await this.ask('/items/categories', 'STORE_ANSWER');
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string' && name.length <= 40).slice(0, 100) : [];
  }

  keys(): Promise<StoreKeysWire> {
    return this.get(StoreKeysWire, '/signing-key');
  }

  revocations(): Promise<StoreRevocationsWire> {
    return this.get(StoreRevocationsWire, '/revocations');
  }

  /**
   * What a store says of what is installed; what it says of anything else is left out.
   *
   * @param installed plugins, or themes that came from this store; at most {@link ASKED_AT_ONCE}
   */
  async updates(
    installed: readonly AskedItem[],
    { type = 'plugin', withBetas = false }: { type?: PackageType; withBetas?: boolean } = {},
  ): Promise<StoreUpdatesWire> {
    const items = installed.map(({ slug, version }) => ({ type, slug, version }));
    const answer = await this.client().request({
      url: `${this.address}/api/items/update-check`,
      method: 'POST',
      // Stores of before know no betas.
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

  /** Fetches the package of a version into a new file. */
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
    return checkedAnswer(type, await this.ask(path, missing));
  }

  private async ask(path: string, missing: 'ITEM_UNKNOWN' | 'STORE_ANSWER'): Promise<unknown> {
    const url = `${this.address}/api${path}`;
    return dataOf(await this.client().request({ url, timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES, maxRedirects: 0 }), missing);
  }

  /** A store on this machine may be reached though its address is not public. */
  private client(): OutboundHttp {
    this.http ??= new OutboundHttp({ allowCidrs: [...this.config.outboundAllow, ...this.ownNetworks()] });
    return this.http;
  }

  private ownNetworks(): string[] {
    const host = new URL(this.address).hostname.replace(/^\[|\]$/g, '');
    if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost') ? THIS_MACHINE : [];
    const address = ipaddr.parse(host);
    if (address.range() === 'loopback') return THIS_MACHINE;
    // This process may listen on an address of a network of its own.
    return this.config.storeUrl === null ? [`${host}/${address.kind() === 'ipv6' ? 128 : 32}`] : [];
  }
}

/** `data` of a store's envelope. */
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
