import { expect, it } from 'vitest';

import { actionViews, cellView } from './list-cells.js';

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

it('a row offers what fits its state, and no address that runs something', () => {
  const actions = [
    { label: 'open', href: (row: { url?: unknown }) => String(row.url) },
    { label: 'resume', when: (row: { qk?: unknown }) => row.qk === 'false', operation: 'zjjc' },
  ];
  const labels = (row: object): string[] => actionViews(actions, row as Record<string, unknown>, say).map(({ label }) => label);
  expect(labels({ url: '/a', qk: 'false' })).toEqual(['open', 'resume']);
  expect(labels({ url: 'javascript:alert(1)', qk: 'true' })).toEqual([]);
});
