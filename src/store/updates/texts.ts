import { registerTexts } from '../../common/index.js';

import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh-CN.json' with { type: 'json' };

registerTexts('store', { 'zh-CN': zhCN, en });

declare module '../texts.js' {
  interface StoreTexts {
    updates: `store.${keyof typeof en}`;
  }
}
