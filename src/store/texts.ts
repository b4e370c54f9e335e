import { registerTexts } from '../common/index.js';

import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh-CN.json' with { type: 'json' };

registerTexts('store', { 'zh-CN': zhCN, en });

/** Keys of the texts of the store and of its pages; the `texts.ts` of each part adds those of its language files. */
export interface StoreTexts {
  store: `store.${keyof typeof en}`;
}

/** Key of a text of the store or of its pages: one that there is not does not compile. */
export type StoreTextKey = StoreTexts[keyof StoreTexts];
