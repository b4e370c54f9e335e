import { expect, it } from 'vitest';

import { cellText, cellView } from './list-cells.js';

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

it('a line below a name or a time contains the time of its row', () => {
  const column = {
    field: 'mc',
    title: 'name',
    kind: 'named',
    notes: [
      {
        text: (row: Record<string, unknown>) => (row.xc ? `next ${String(row.xc)}` : ''),
        at: (row: Record<string, unknown>) => String(row.xc),
      },
      { text: () => 'no time' },
    ],
  } as const;
  const lineless = { lines: ['no time'], danger: false };
  expect(cellView(column, { mc: 'a', xc: '2026-11-28 06:00:00' }, say).notes).toEqual([
    { lines: ['next ⧖'], at: '2026-11-28 06:00:00', danger: false },
    lineless,
  ]);
  expect(cellView(column, { mc: 'a', xc: '' }, say).notes).toEqual([lineless]);
  const folded = { ...column, notes: [{ ...column.notes[0], fold: 'more' }] };
  expect(cellView(folded, { mc: 'a', xc: '2026-11-28 06:00:00' }, say).notes).toEqual([
    { lines: ['next 2026-11-28 06:00:00'], danger: false, fold: 'more', open: true },
  ]);
  const below = { ...column, kind: 'moment' } as const;
  expect(cellView(below, { mc: '2026-11-28 05:00:00', xc: '' }, say)).toMatchObject({ notes: [lineless], look: 'wide' });
  expect(cellView({ ...below, notes: undefined }, { mc: '2026-11-28 05:00:00' }, say)).toMatchObject({ look: 'moment' });
});

it('a name shows its label if it has one, with the technical name below', () => {
  const column = {
    field: 'action',
    title: 'kind',
    kind: 'named',
    words: ({ action }: Record<string, unknown>) => (action === 'ping' ? 'Asked for an answer' : ''),
    notes: [{ text: ({ action }: Record<string, unknown>) => String(action), tone: 'code' }],
  } as const;
  const called = (action: string) => ({ notes: [{ lines: [action], danger: false, code: true }] });
  expect(cellView(column, { action: 'ping' }, say)).toMatchObject({ text: 'Asked for an answer', ...called('ping') });
  expect(cellView(column, { action: 'other' }, say)).toMatchObject({ text: 'other', ...called('other') });
  expect(cellText(column, { action: 'ping' }, say)).toBe('ping');
});

it('bars are exported as the number of successes, or nothing', () => {
  const bars = [
    { ok: true, text: 'fine' },
    { ok: false, text: 'failed' },
    { ok: true, text: 'fine' },
  ];
  const column = { field: 'checks', title: 'checks', kind: 'bars' } as const;
  expect(cellView(column, { checks: bars }, say)).toMatchObject({ kind: 'bars', text: '2 / 3', bars });
  expect(cellView(column, { checks: [] }, say)).toMatchObject({ kind: 'text', text: '–' });
  expect(cellText(column, { checks: bars }, say)).toBe('2 / 3');
});
