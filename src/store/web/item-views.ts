import type { Locale } from '../../common/index.js';
import type { Item, Version } from '../items/index.js';

import { categoryText, priceText, sizeText } from './formats.js';

/** View variables of an item: everything except its description, with price and category formatted. */
export function itemFacts(item: Item, locale: Locale): Omit<Item, 'description'> & Readonly<Record<string, unknown>> {
  const { description: _, ...facts } = item;
  return { ...facts, price_text: priceText(locale, item.price), category_text: categoryText(locale, item.category) };
}

/** View data of an item for its page. */
export function itemView(item: Item, locale: Locale): object {
  return {
    ...itemFacts(item, locale),
    tags: JSON.parse(item.tags) as string[],
    screenshots: JSON.parse(item.screenshots) as string[],
    homepage: webAddress(item.homepage),
    size_text: sizeText(locale, item.zip_size),
  };
}

/** Returns the address if it is http(s), else an empty string. */
const webAddress = (address: string): string => (/^https?:\/\//i.test(address) ? address : '');

/** View data of a version in its item's list. */
export function versionView(version: Version, item: Item, locale: Locale): object {
  return {
    ...version,
    size_text: sizeText(locale, version.zip_size),
    is_current: version.version === item.version && version.status === 'approved',
    author_key: version.author_keys.at(-1) ?? '',
  };
}
