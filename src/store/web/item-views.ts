import type { Locale } from '../../common/index.js';
import type { Item, Version } from '../items/index.js';

import { categoryText, priceText, sizeText } from './formats.js';

/** Variables of an item for views: everything but its description, with prices and categories in words. */
export function itemFacts(item: Item, locale: Locale): Omit<Item, 'description'> & Readonly<Record<string, unknown>> {
  const { description: _, ...facts } = item;
  return { ...facts, price_text: priceText(locale, item.price), category_text: categoryText(locale, item.category) };
}

/** An item as its page shows it. */
export function itemView(item: Item, locale: Locale): object {
  return {
    ...itemFacts(item, locale),
    tags: JSON.parse(item.tags) as string[],
    screenshots: JSON.parse(item.screenshots) as string[],
    homepage: webAddress(item.homepage),
    size_text: sizeText(locale, item.zip_size),
  };
}

/** An address that leads to the web; empty for any other. */
const webAddress = (address: string): string => (/^https?:\/\//i.test(address) ? address : '');

/** A version in the list of its item. */
export function versionView(version: Version, item: Item, locale: Locale): object {
  return {
    ...version,
    size_text: sizeText(locale, version.zip_size),
    is_current: version.version === item.version && version.status === 'approved',
    author_key: version.author_keys.at(-1) ?? '',
  };
}
