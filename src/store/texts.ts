import { registerTexts } from '../common/index.js';

import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh-CN.json' with { type: 'json' };

registerTexts('store', { 'zh-CN': zhCN, en });

/** Text keys of the store and its pages; each module's `texts.ts` adds those of its language files. */
export interface StoreTexts {
  store: `store.${keyof typeof en}`;
}

/** A text key of the store or its pages; unknown keys do not compile. */
export type StoreTextKey = StoreTexts[keyof StoreTexts];
