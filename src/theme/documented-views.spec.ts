/** The table "Values of the views" of docs/themes.md, held to the samples, which `default-theme.spec.ts` holds to the templates. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../common/index.js';
import { SAMPLE_VIEWS } from './samples/index.js';

/** What views have in common, as the text above the table tells; which lists they have is told by their pages. */
const COMMON = new Set(['site', 'account', 'menu', 'bell', 'banners', 'lists']);
/** Its samples have the values of all its tabs, which have rows of their own. */
const SETTINGS = 'admin/settings';

const section = readFileSync(join(PACKAGE_ROOT, 'docs/themes.md'), 'utf8')
  .split('\n## ')
  .find((text) => text.startsWith('Values of the views'))!;
const rows = [...section.matchAll(/^\| ([a-z·].*?) \| (?:\w.*? )?\| (.*) \|$/gm)].map(([, names, values]) => [names!, values!] as const);
const viewRows = rows
  .filter(([names]) => !names.startsWith('· '))
  .flatMap(([names, values]) => names.split(', ').map((view) => [view, values] as const));
const tabs = rows.flatMap(([names]) => (names.startsWith('· ') ? [names.slice(2)] : []));

/** The tabs that features declare. */
function declaredTabs(): string[] {
  const files = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pages.ts'));
  const sources = files.map((file) => readFileSync(join(PACKAGE_ROOT, 'src', file), 'utf8'));
  return sources.flatMap((source) => [...source.matchAll(/@SettingsTab\(\{ tab: '(\w+)'/g)].map(([, tab]) => tab!));
}

describe('docs/themes.md', () => {
  it('has one row for every view, and none for others', () => {
    const views = new Set(SAMPLE_VIEWS.map(({ side, view }) => `${side}/${view}`));
    expect(viewRows.map(([view]) => view).sort()).toEqual([...views].sort());
  });

  it('has one row for every settings tab, and none for others', () => {
    expect([...tabs].sort()).toEqual([...declaredTabs(), "a plugin's tab"].sort());
  });

  it('names the variables of every view', () => {
    const told = new Map(viewRows);
    const missing = SAMPLE_VIEWS.map(({ side, view, vars }) => ({ view: `${side}/${view}`, names: Object.keys(vars) }))
      .filter(({ view }) => view !== SETTINGS)
      .flatMap(({ view, names }) =>
        names
          .filter((name) => !COMMON.has(name) && !new RegExp(`\\b${name}\\b`).test(told.get(view) ?? ''))
          .map((name) => `${view}: ${name}`),
      );
    expect([...new Set(missing)]).toEqual([]);
  });
});
