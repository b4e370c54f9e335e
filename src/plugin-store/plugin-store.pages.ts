import { Controller } from '@nestjs/common';

import { type AppError, localeOf, PLUGIN_SLUG, sayWords, textOfHtml, wordsOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing } from '../web/index.js';

import { PluginStoreError } from './errors.js';
import { priceText } from './plugin-store.operations.js';
import { StoreCatalogue, type ShownItem } from './store-catalogue.js';
import { StoreClient, type StoreSearch } from './store-client.js';
import { offered, versionView } from './item-view.js';
import type { StoreItemWire } from './store-wire.js';

const PAGE_SIZE = 12;
const PATH = '/admin/plugin-store';
/** Characters of a description on a card. */
const BRIEF = 120;
const PICTURE = /^\/uploads\/images\/[\w-]{1,60}\.(jpg|png|gif|webp)$/;

/** The store: what there is, and one plugin of it. */
@Controller()
export class PluginStorePages {
  constructor(
    private readonly client: StoreClient,
    private readonly catalogue: StoreCatalogue,
    private readonly config: AppConfig,
  ) {}

  @Page({
    side: 'admin',
    path: 'plugin-store',
    title: 'theme.menu.plugin_store',
    menu: { icon: 'mdi-storefront-outline', order: 41 },
    needs: ['plugin_store'],
  })
  async store({ query, locale }: RequestContext): Promise<object> {
    const wanted = searchOf(query);
    return this.told(locale, async () => {
      const [{ items, total }, categories] = await Promise.all([this.client.search(wanted), this.client.categories()]);
      const shown = await Promise.all(items.map((item) => this.catalogue.shown(item)));
      return { wanted, items: shown.map((item) => this.card(item, locale)), total, categories, pages: pagesOf(wanted, total) };
    });
  }

  /** One plugin of the store. */
  @Page({ side: 'admin', path: 'plugin-store-item', title: 'theme.menu.plugin_store', needs: ['plugin_store'] })
  async item({ query, locale }: RequestContext): Promise<object> {
    const slug = query.slug ?? '';
    if (!PLUGIN_SLUG.test(slug)) throw new PageMissing();
    return this.told(locale, async () => {
      const shown = await this.catalogue.shown(await this.client.item(slug));
      const { item, state, installed } = shown;
      const versions = await this.catalogue.versions(item);
      const words = localeOf(locale);
      return {
        item: this.card(shown, locale),
        text: textOfHtml(item.description.replace(/<\/(p|li|h[1-6])>|<br\s*\/?>/gi, '\n')).trim(),
        is_priced: item.price > 0,
        homepage: item.homepage,
        address: `${this.config.storeUrl ?? ''}/store/plugin/${encodeURIComponent(item.slug)}`,
        pictures: this.picturesOf(item),
        versions: versions.map((version) => versionView(version, words, this.config.timezone)),
        offered: offered(shown, versions, words),
        is_newer: state === 'newer',
        installed,
      };
    });
  }

  /** What of the store could not be had is said on the page. */
  private async told(locale: string, work: () => Promise<object>): Promise<object> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PluginStoreError)) throw error;
      if (error.code === 'ITEM_UNKNOWN') throw new PageMissing();
      return { problem: sayWords(localeOf(locale), wordsOf(error as AppError)) };
    }
  }

  private card({ item, state, installed }: ShownItem, locale: string): Record<string, unknown> {
    const text = textOfHtml(item.description).replace(/\s+/g, ' ').trim();
    return {
      slug: item.slug,
      name: item.name,
      version: item.version,
      author: item.author_name,
      category: item.category,
      downloads: item.downloads,
      price: priceText(item.price, locale),
      brief: text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text,
      image: this.pictureOf(item.main_image),
      state,
      installed,
      href: `${PATH}-item?slug=${encodeURIComponent(item.slug)}`,
    };
  }

  private picturesOf({ screenshots }: StoreItemWire): string[] {
    try {
      const paths: unknown = JSON.parse(screenshots);
      return Array.isArray(paths) ? paths.map((path) => this.pictureOf(String(path))).filter((path) => path !== '') : [];
    } catch {
      return [];
    }
  }

  /** Pages show pictures of this address alone: of another store they are on its own page. */
  private pictureOf(path: string): string {
    return this.config.storeUrl === null && PICTURE.test(path) ? path : '';
  }
}

function searchOf(query: Readonly<Record<string, string>>): StoreSearch {
  return {
    keyword: (query.q ?? '').trim().slice(0, 100),
    category: (query.category ?? '').slice(0, 40),
    sort: query.order === 'downloads' ? 'downloads' : 'newest',
    page: Math.min(10_000, Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1)),
    pageSize: PAGE_SIZE,
  };
}

function pagesOf({ keyword, category, sort, page }: StoreSearch, total: number): object {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const href = (to: number): string =>
    to < 1 || to > last ? '' : `${PATH}?${new URLSearchParams({ q: keyword, category, order: sort, page: String(to) }).toString()}`;
  return { page, last, before: href(page - 1), after: href(page + 1) };
}
