import { registerTexts, type Locale } from '../../common/index.js';

import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh-CN.json' with { type: 'json' };

/** Texts of the pages. */
export const PAGE_TEXTS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { 'zh-CN': zhCN, en };

registerTexts('storePages', { 'zh-CN': zhCN, en });

declare module '../texts.js' {
  interface StoreTexts {
    pages: `storePages.${keyof typeof en}`;
  }
}
