import { Injectable } from '@nestjs/common';

import { type AppError, localeOf, sayWords, textOfHtml, translate, wordsOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import type { RequestContext } from '../operations/index.js';
import { signedSince, type PackageType } from '../packaging/index.js';
import { PageMissing } from '../web/index.js';

import { PluginStoreError } from './errors.js';
import { offered, ratingView, versionView } from './item-view.js';
import type { ShownItem, ShownVersion } from './store-catalogue.js';
import { StoreClient, type StoreSearch } from './store-client.js';
import type { StoreItemWire, StoreRatingWire } from './store-wire.js';

const PAGE_SIZE = 12;
/** Ratings shown on an item's page. */
const RATINGS = 10;
/** Characters of a description shown on a card. */
const BRIEF = 120;
const PICTURE = /^\/uploads\/images\/[\w-]{1,60}\.(jpg|png|gif|webp)$/;

/** A section of the store pages: plugins or themes. */
export interface Shelf {
  readonly type: PackageType;
  /** Path of the list page; item pages add `-item`. */
  readonly path: string;
  /** Adds the state of an item in this panel. */
  readonly shown: (item: StoreItemWire) => ShownItem | Promise<ShownItem>;
  /** Published versions, newest first. */
  readonly versions: (item: StoreItemWire) => Promise<ShownVersion[]>;
}

/** Data of the store pages, for plugins and themes. */
@Injectable()
export class StoreShelf {
  constructor(
    private readonly client: StoreClient,
    private readonly config: AppConfig,
  ) {}

  /** Searches items. Store errors are shown on the page. */
  search(shelf: Shelf, { query, locale }: RequestContext): Promise<object> {
    const wanted = searchOf(query);
    return this.withStoreErrors(locale, async () => {
      const [{ items, total }, categories] = await Promise.all([this.client.search(wanted, shelf.type), this.client.categories()]);
      const shown = await Promise.all(items.map((item) => shelf.shown(item)));
      const cards = shown.map((item) => this.card(shelf, item, locale));
      return { wanted, items: cards, total, categories, pages: pagesOf(shelf, wanted, total) };
    });
  }

  /** Data of an item's page. @throws PageMissing if the store has no such item */
  item(shelf: Shelf, slug: string, { locale }: RequestContext): Promise<object> {
    return this.withStoreErrors(locale, async () => {
      const shown = await shelf.shown(await this.client.item(slug, shelf.type));
      const { item, state, installed } = shown;
      const [versions, ratings] = await Promise.all([shelf.versions(item), this.ratingsOf(item)]);
      const words = localeOf(locale);
      return {
        item: this.card(shelf, shown, locale),
        text: textOfHtml(item.description.replace(/<\/(p|li|h[1-6])>|<br\s*\/?>/gi, '\n')).trim(),
        is_priced: item.price > 0,
        homepage: item.homepage,
        address: `${this.config.storeUrl ?? ''}/store/${shelf.type}/${encodeURIComponent(item.slug)}`,
        pictures: this.picturesOf(item),
        ratings: ratings.map((rating) => ratingView(rating, this.config.timezone)),
        versions: versions.map((version) => versionView(shelf.type, shown, version, words, this.config.timezone)),
        signed: signedSince(versions),
        offered: offered(shelf.type, shown, versions, words),
        is_newer: state === 'newer',
        installed,
      };
    });
  }

  /** Returns the newest ratings; older stores have none. */
  private async ratingsOf({ id, ratings = 0 }: StoreItemWire): Promise<StoreRatingWire[]> {
    return ratings > 0 ? this.client.ratings(id, RATINGS) : [];
  }

  private async withStoreErrors(locale: string, work: () => Promise<object>): Promise<object> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PluginStoreError)) throw error;
      if (error.code === 'ITEM_UNKNOWN') throw new PageMissing();
      return { problem: sayWords(localeOf(locale), wordsOf(error as AppError)) };
    }
  }

  private card({ path }: Shelf, { item, state, installed }: ShownItem, locale: string): Record<string, unknown> {
    const text = textOfHtml(item.description).replace(/\s+/g, ' ').trim();
    return {
      slug: item.slug,
      name: item.name,
      version: item.version,
      author: item.author_name,
      category: item.category,
      downloads: item.downloads,
      rating: item.rating ?? null,
      ratings: item.ratings ?? 0,
      price: priceText(item.price, locale),
      brief: text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text,
      image: this.pictureOf(item.main_image),
      state,
      installed,
      href: `${path}-item?slug=${encodeURIComponent(item.slug)}`,
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

  /** Pages only show pictures from this site; those of an external store are on its own page. */
  private pictureOf(path: string): string {
    return this.config.storeUrl === null && PICTURE.test(path) ? path : '';
  }
}

/** Formats the author's price. */
function priceText(price: number, locale: string): string {
  return price > 0 ? `¥${price.toFixed(2)}` : translate(localeOf(locale), 'pluginStore.free');
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

function pagesOf({ path }: Shelf, { keyword, category, sort, page }: StoreSearch, total: number): object {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const href = (to: number): string =>
    to < 1 || to > last ? '' : `${path}?${new URLSearchParams({ q: keyword, category, order: sort, page: String(to) }).toString()}`;
  return { page, last, before: href(page - 1), after: href(page + 1) };
}
