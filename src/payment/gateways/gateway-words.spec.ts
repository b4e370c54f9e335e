import { afterAll, describe, expect, it } from 'vitest';

import { addOwnerTexts, translate } from '../../common/index.js';

import { gatewayName, gatewayWords, methodName } from './gateway-words.js';

const GATEWAY = { owner: 'tills', slug: 'till', name: '柜台 Till' };
const METHOD = { label: '现金 Cash', icon: '' };

const forget = addOwnerTexts('tills', {
  en: { 'gateway.till': 'Till', 'method.cash': 'Cash' },
  'zh-CN': { 'gateway.till': '柜台', 'method.cash': '现金' },
});
afterAll(forget);

describe('gateways and methods', () => {
  it("have the plugin's names in the reader's language", () => {
    expect([gatewayName(GATEWAY, 'en'), gatewayName(GATEWAY, 'zh-CN')]).toEqual(['Till', '柜台']);
    expect([methodName(GATEWAY, 'cash', METHOD, '', 'en'), methodName(GATEWAY, 'cash', METHOD, '', 'zh-CN')]).toEqual(['Cash', '现金']);
  });

  it("have the reseller's names, unless they equal the registered ones", () => {
    expect(methodName(GATEWAY, 'cash', METHOD, 'At our desk', 'zh-CN')).toBe('At our desk');
    for (const saved of ['现金 Cash', '柜台 Till']) expect(methodName(GATEWAY, 'cash', METHOD, saved, 'en')).toBe('Cash');
  });

  it('have these names in stored texts, and the registered ones while the plugin is disabled', () => {
    const told = (gateway: Parameters<typeof gatewayWords>[0], locale: 'en' | 'zh-CN') =>
      translate(locale, 'payment.asked_unpaid', { gateway: gatewayWords(gateway) });
    expect([told(GATEWAY, 'en'), told(GATEWAY, 'zh-CN')]).toEqual(['Till has no payment for this order.', '柜台 没有该订单的付款。']);
    expect(told({ owner: 'others', slug: 'x', name: 'X Pay' }, 'en')).toBe('X Pay has no payment for this order.');
  });

  it('have the registered names if the plugin has no text', () => {
    expect(methodName(GATEWAY, 'card', { label: 'Card', icon: '' }, '', 'en')).toBe('Card');
    expect(gatewayName({ owner: 'others', slug: 'x', name: 'X Pay' }, 'en')).toBe('X Pay');
  });
});
