import { describe, expect, it } from 'vitest';

import type { ListRow } from '../../sdk/index.js';

import { actionsView, type ActionsView, type ShownAction } from './list-actions.js';

const say = (key: string): string => ({ sure: 'Delete {user} on {node}?' })[key] ?? key;
const view = (actions: readonly ShownAction[], ...rows: ListRow[]): ActionsView => actionsView(actions, rows, say);
const valuesOf = ({ values }: ActionsView): unknown => JSON.parse(values!.html);

const MANY: readonly ShownAction[] = [
  { label: 'edit', dialog: 'edit-host', operation: 'zjxgjl', fills: ['id', 'quota'] },
  { label: 'open', href: ({ id }) => `/admin/host?id=${String(id)}` },
  { label: 'files', href: ({ id }) => `/admin/files?id=${String(id)}` },
  { label: 'stop', when: ({ runs }) => runs === true, operation: 'zjtd', then: 'reload' },
  { label: 'resume', when: ({ runs }) => runs !== true, dialog: 'resume-host', fills: ['user'] },
  { label: 'delete', tone: 'danger', operation: 'zjsc', confirm: 'sure' },
];

describe('row actions', () => {
  it("depend on the row's state, and contain no unsafe URL", () => {
    const actions = [
      { label: 'open', href: (row: ListRow) => String(row.url) },
      { label: 'resume', when: (row: ListRow) => row.qk === 'false', operation: 'zjjc' },
    ];
    const { rows, menu, values } = view(actions, { url: '/a', qk: 'false' }, { url: 'javascript:alert(1)', qk: 'true' });
    expect(rows.map((row) => row.actions.map(({ label }) => label))).toEqual([['open', 'resume'], []]);
    expect([rows[0]!.menu, menu, values]).toEqual(['', [], null]);
  });

  it("are buttons if there are few, each with its row's values", () => {
    const { rows } = view(
      [{ label: 'delete', operation: 'zjsc', confirm: 'sure', opens: 'url' }],
      { id: 1, user: '{node}', node: 'n1' },
      { id: 2, user: 'bob' },
    );
    const [first, second] = rows.map(({ actions }) => actions[0]!);
    expect(first).toMatchObject({ kind: 'operation', operation: 'zjsc', fields: '{"id":"1"}', opens: 'url', then: 'list' });
    expect([first!.confirm, second!.confirm]).toEqual(['Delete {node} on n1?', 'Delete bob on {node}?']);
  });

  it('are two buttons and a menu if there are many: menus list each action once, rows only the differences', () => {
    const shown = view(MANY, { id: 1, user: 'alice', quota: 5, runs: true }, { id: 2, user: 'bob', node: 'n1', runs: false });
    expect(shown.rows.map(({ actions, menu }) => [actions.map(({ label }) => label).join(), menu])).toEqual([
      ['edit,open', '2 3 5'],
      ['edit,open', '2 4 5'],
    ]);
    expect(shown.menu.map(({ number, label }) => `${number} ${label}`)).toEqual(['2 files', '3 stop', '4 resume', '5 delete']);
    expect(shown.menu[3]).toEqual({
      kind: 'operation',
      number: 5,
      label: 'delete',
      look: 'dropdown-item text-danger',
      operation: 'zjsc',
      confirm: 'Delete {user} on {node}?',
      then: 'list',
    });
    expect(valuesOf(shown)).toEqual({
      fills: { 0: ['id', 'quota'], 4: ['user'] },
      rows: [
        { row: { id: 1, quota: 5, user: 'alice' }, hrefs: { 2: '/admin/files?id=1' }, fields: {} },
        { row: { id: 2, user: 'bob', node: 'n1' }, hrefs: { 2: '/admin/files?id=2' }, fields: {} },
      ],
    });
  });

  it('send their own fields in place of the id, from a menu and from a button', () => {
    const actions = ['a', 'b', 'c', 'd'].map((label) => ({
      label,
      operation: label,
      fields: ({ id }: ListRow) => ({ of: `${String(id)}${label}` }),
    }));
    const shown = view(actions, { id: 7 });
    expect(shown.rows[0]!.actions[0]!.fields).toBe('{"of":"7a"}');
    expect(valuesOf(shown)).toMatchObject({ rows: [{ fields: { 2: { of: '7c' }, 3: { of: '7d' } } }] });
  });

  it('stay buttons if they are forms, which work without scripts', () => {
    const forms = ['a', 'b', 'c', 'd'].map((label) => ({ label, post: () => `/${label}`, fields: () => ({ to: label }) }));
    const { rows, menu, values } = view(forms, { id: 1 });
    expect(rows[0]!.actions.map(({ post, inputs }) => [post, inputs![0]!.value])).toEqual(['a', 'b', 'c', 'd'].map((at) => [`/${at}`, at]));
    expect([rows[0]!.menu, menu, values]).toEqual(['', [], null]);
  });

  it('pass a row to the script as JSON that contains no HTML', () => {
    const shown = view([{ label: 'edit', dialog: 'edit', fills: ['user'] }], { id: 1, user: '</template><img src=x>&lt;"' });
    expect(shown.values!.html).not.toMatch(/[<&]/);
    expect(valuesOf(shown)).toMatchObject({ rows: [{ row: { user: '</template><img src=x>&lt;"' } }] });
  });
});
