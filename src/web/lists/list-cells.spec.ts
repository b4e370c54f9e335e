import { expect, it } from 'vitest';

import { cellView } from './list-cells.js';

const say = (key: string): string => key;

it.each([
  ['https://alice.example.com', 'https://alice.example.com'],
  ['/pay/order/1', '/pay/order/1'],
  ['javascript:alert(1)', undefined],
  ['//evil.test', undefined],
  ['/\\evil.test', undefined],
  ['', undefined],
])('a cell with %j links to %j', (url, href) => {
  expect(cellView({ field: 'url', title: 'site', kind: 'link' }, { url }, say).href).toBe(href);
});
