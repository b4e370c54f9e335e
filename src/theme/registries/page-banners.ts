import { Injectable } from '@nestjs/common';

import { loggerFor, waitAtMost, type Locale, type Undo } from '../../common/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';

import { isSafeUrl } from './record-rules.js';

/** Action of a banner: a link, or a button that runs an operation of the side and reloads the page. */
export type BannerAction =
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly operation: string; readonly fields?: Readonly<Record<string, string>>; readonly confirm?: string };

/** A message above the content of every panel page. */
export interface PageBanner {
  /** Id of the banner; its element's id is `banner-{id}`. */
  readonly id: string;
  readonly level: 'info' | 'warning' | 'danger';
  /** In the reader's language. */
  readonly text: string;
  readonly action?: BannerAction;
}

/** The reader of the page. */
export interface BannerReader {
  readonly side: Scope;
  readonly account: { readonly id: number; readonly username: string };
  readonly locale: Locale;
  readonly call: CallContext;
}

/** Returns the current banners for a reader; called for every page, so it must be cheap. */
export type BannerProvider = (reader: BannerReader) => readonly PageBanner[] | Promise<readonly PageBanner[]>;

/** Maximum wait for banners, in milliseconds. */
const TIMEOUT_MS = 1_000;

/** Characters of a provider's source code logged to identify a late one, because providers have no names. */
const SHOWN_CODE = 160;

/** Danger first; within a level in the order of registration. */
const LEVELS = ['danger', 'warning', 'info'] as const;

const log = loggerFor('theme');

/**
 * The panel's banners on every page of a side: a default password, a disabled plugin. Features add
 * providers; one that fails or is slow is skipped, so that a banner never breaks a page.
 */
@Injectable()
export class PageBanners {
  private readonly providers = new Set<BannerProvider>();

  /** Adds a provider for all panel pages. */
  add(provider: BannerProvider): Undo {
    this.providers.add(provider);
    return () => void this.providers.delete(provider);
  }

  /** Returns the template variable `banners`: see docs/themes.md. */
  async build(reader: BannerReader): Promise<PageBanner[]> {
    const found: (readonly PageBanner[] | undefined)[] = [];
    const pending = [...this.providers].map(async (provider, at) => {
      found[at] = await ask(provider, reader);
    });
    // One timer for all of them: there are a dozen providers, and a timer for each would cost more than most of them do.
    if (!(await waitAtMost(Promise.all(pending), TIMEOUT_MS))) {
      const late = [...this.providers].flatMap((provider, at) => (found[at] ? [] : [provider.toString().slice(0, SHOWN_CODE)]));
      log.error({ side: reader.side, late }, `a banner took more than ${TIMEOUT_MS} ms`);
    }
    const banners = found.flatMap((some) => some ?? []);
    return LEVELS.flatMap((level) => banners.filter((banner) => banner.level === level));
  }
}

async function ask(provider: BannerProvider, reader: BannerReader): Promise<readonly PageBanner[]> {
  try {
    return (await provider(reader)).map(checked);
  } catch (error) {
    log.error({ err: error, side: reader.side }, 'a banner could not be built');
    return [];
  }
}

function checked(banner: PageBanner): PageBanner {
  const { action } = banner;
  if (action && 'url' in action && !isSafeUrl(action.url))
    throw new Error(`The banner "${banner.id}" has an invalid URL: ${JSON.stringify(action.url)}.`);
  return banner;
}
