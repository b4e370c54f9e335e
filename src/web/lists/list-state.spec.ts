import { describe, expect, it } from 'vitest';

import { defineList } from '../../sdk/index.js';
import { ListAddress } from './list-state.js';

const HOSTS = defineList({
  id: 'hosts',
  operation: 'listzj',
  sort: '-id',
  empty: 'hosts.empty',
  search: [
    ['user', 'hosts.user'],
    ['ssbt', 'hosts.node'],
  ],
  filters: [{ field: 'zjzt', label: 'hosts.status', choices: [['paused', 'host.paused']] }],
  columns: [
    { field: 'id', title: 'hosts.id', sortable: true },
    { field: 'user', title: 'hosts.user' },
  ],
});
const at = (query: Record<string, string>, list = HOSTS): ListAddress => new ListAddress(list, '/admin/hosts', query);

describe('the state of a list', () => {
  it('is read from the URL', () => {
    expect(at({ page: '3', size: '50', sort: 'id', q: ' alice ', in: 'ssbt', zjzt: 'paused' }).state).toEqual({
      page: 3,
      size: 50,
      sort: 'id',
      text: 'alice',
      column: 'ssbt',
      filters: { zjzt: 'paused' },
    });
  });

  it('is the first page in default order if the URL contains nothing valid', () => {
    const defaults = { page: 1, size: 20, sort: '-id', text: '', column: 'user', filters: {} };
    expect(at({}).state).toEqual(defaults);
    for (const page of ['0', '-1', '1.5', 'x', '1e99', '']) expect(at({ page }).state).toEqual(defaults);
    expect(at({ size: '1000', sort: 'user', in: 'pass', zjzt: "' OR 1=1" }).state).toEqual(defaults);
    expect(at({ sort: '--id' }).state.sort).toBe('-id');
    expect(at({ q: 'x'.repeat(500) }).state.text).toHaveLength(100);
  });

  it('changes through URLs that keep other parameters', () => {
    const address = at({ tab: 'a&b', q: '中', page: '4', export: 'hosts', lang: 'en' });
    expect(address.with({ page: 5 })).toBe('/admin/hosts?tab=a%26b&q=%E4%B8%AD&page=5');
    expect(address.with({ q: undefined, page: undefined })).toBe('/admin/hosts?tab=a%26b');
    expect(at({}).with({})).toBe('/admin/hosts');
  });

  it('of a second list on the page is prefixed by its name and independent', () => {
    const beside = at({ page: '2', 'hosts.page': '7', 'hosts.q': 'x' }, { ...HOSTS, beside: true });
    expect(beside.state).toMatchObject({ page: 7, text: 'x' });
    expect(beside.with({ page: 8 })).toBe('/admin/hosts?page=2&hosts.q=x&hosts.page=8');
    expect(beside.kept(['q', 'in'])).toEqual([{ name: 'page', value: '2' }]);
    expect(beside.kept(['sort'])).toEqual([
      { name: 'page', value: '2' },
      { name: 'hosts.q', value: 'x' },
    ]);
  });

  it('accepts amounts in browser formats, and choices provided with the rows', () => {
    const items = {
      id: 'items',
      empty: 'none',
      columns: [],
      filters: [
        { field: 'least', label: 'least', choices: [], amount: true },
        { field: 'of', label: 'of', choices: [], offered: true },
      ],
    } as const;
    const filtersOf = (query: Record<string, string>) => new ListAddress(items, '/', query).state.filters;
    expect(filtersOf({ least: '1e1', of: '支付' })).toEqual({ least: '10', of: '支付' });
    expect(filtersOf({ least: ' 0.50 ' })).toEqual({ least: '0.5' });
    for (const least of ['', ' ', 'x', '-1', '0.001', '99999999999', 'Infinity'])
      expect([least, filtersOf({ least })]).toEqual([least, {}]);
    expect(filtersOf({ of: 'x'.repeat(101) })).toEqual({});
  });
});
