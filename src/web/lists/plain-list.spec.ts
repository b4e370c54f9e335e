import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import type { ListRow } from '../../sdk/index.js';

import type { ListState } from './list-state.js';
import { fileIn, plainList, PlainListFile, type PlainList } from './plain-list.js';
import type { ListView } from './list-view.js';

const say = (key: string): string => key;
const THINGS: PlainList = {
  id: 'list',
  empty: 'none',
  hint: 'none_text',
  nothing: 'nothing_found',
  first: { href: '/things/new', label: 'make_one' },
  given: ['of'],
  narrowed: 'only_some',
  filters: [{ field: 'kind', label: 'every_kind', choices: [], offered: true }],
  columns: [{ field: 'name', title: 'name' }],
};
const rows = (count: number): ListRow[] => Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `thing ${at + 1}` }));
const shown = (list: PlainList, query: Readonly<Record<string, string | undefined>>, all: ListRow[]) => {
  const read = ({ page, size }: ListState) => {
    const part = list.whole ? all : all.slice((page - 1) * size, page * size);
    return Promise.resolve({ total: all.length, rows: part, offered: { kind: [['a', 'Kind A']] as const } });
  };
  return plainList(list, { path: '/things/', query, locale: 'en' }, say, read) as Promise<ListView>;
};

it('an empty list links to where its first row is created, a filtered one says that nothing was found', async () => {
  const first = { href: '/things/new', label: 'make_one' };
  expect(await shown(THINGS, {}, [])).toMatchObject({ message: 'none', hint: 'none_text', first, narrowed: null });
  for (const query of [{ of: '7' }, { kind: 'a' }])
    expect(await shown(THINGS, query, [])).toMatchObject({ message: 'nothing_found', hint: '', first: null });
  expect(await shown(THINGS, { of: '7' }, rows(1))).toMatchObject({ message: '', hint: '', first: null, narrowed: { href: '/things/' } });
});

it('cards receive their original rows', async () => {
  const { card, rows: drawn } = await shown({ ...THINGS, card: 'thing_card' }, {}, rows(2));
  expect(card).toBe('thing_card');
  expect(drawn.map(({ cells, values }) => [cells, values?.name])).toEqual([
    [[], 'thing 1'],
    [[], 'thing 2'],
  ]);
  const table = await shown(THINGS, {}, rows(1));
  expect([table.card, table.rows[0]!.values, table.rows[0]!.cells.length]).toEqual(['', undefined, 1]);
});

it('choices provided with the rows are offered, and an unknown one is shown so that it can be removed', async () => {
  const { search } = await shown(THINGS, { kind: 'gone' }, rows(1));
  expect(search!.filters).toEqual([
    {
      name: 'kind',
      label: 'every_kind',
      value: 'gone',
      choices: [
        { value: 'a', title: 'Kind A' },
        { value: 'gone', title: 'gone' },
      ],
      amount: false,
    },
  ]);
});

it('a file contains all rows once, whatever the current page, and is named after the page or the second list', async () => {
  const fileOf = async (list: PlainList, count: number) => {
    const { headers, body } = fileIn({ list: await shown(list, { export: 'list', page: '3', size: '50' }, rows(count)) })!;
    return { name: headers['Content-Disposition'], lines: (await text(body)).split('\r\n').slice(0, -1) };
  };
  for (const count of [0, 1, 100, 250]) {
    const { name, lines } = await fileOf(THINGS, count);
    expect([count, name, lines]).toEqual([
      count,
      'attachment; filename="things.csv"',
      ['\uFEFFname', ...rows(count).map((row) => String(row.name))],
    ]);
  }
  expect((await fileOf({ ...THINGS, whole: true }, 250)).lines).toHaveLength(251);
  expect((await fileOf({ ...THINGS, beside: true }, 1)).name).toBe('attachment; filename="list.csv"');
  expect(fileIn({ list: await shown(THINGS, { export: 'other' }, rows(1)) })).toBeUndefined();
});

it('a list without columns has no file', async () => {
  const bare: PlainList = { ...THINGS, columns: [] };
  const view = await shown(bare, { export: 'list' }, rows(1));
  expect(view).not.toBeInstanceOf(PlainListFile);
  expect([view.csv, (await shown(THINGS, { page: '2' }, rows(30))).csv]).toEqual(['', '/things/?export=list']);
});
