import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../common/index.js';
import { templateDefect } from '../../theme/index.js';
import type { PlainList } from '../../web/index.js';

import { KIT_PARTIALS } from './kit-partials.js';
import * as LISTS from './lists/index.js';

const folder = fileURLToPath(new URL('./views', import.meta.url));
const views = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.liquid'));

it.each(views)('%s parses', (file) => {
  expect(templateDefect(readFileSync(`${folder}/${file}`, 'utf8'))).toBeNull();
});

it('has every partial that its pages and those of the kit use', () => {
  const kit = KIT_PARTIALS.map((name) => `${PACKAGE_ROOT}/themes/default/shared/${name}.liquid`);
  const sources = [...views.map((file) => `${folder}/${file}`), ...kit].map((file) => readFileSync(file, 'utf8'));
  const wanted = new Set(sources.flatMap((source) => [...source.matchAll(/partial '([\w-]+)'/g)].map(([, name]) => name!)));
  const own = views.map((file) => /([\w-]+)\.liquid$/.exec(file)![1]!);
  expect([...wanted].filter((name) => !KIT_PARTIALS.includes(name) && !own.includes(name))).toEqual([]);
  expect(wanted.size).toBeGreaterThan(15);
  const cards = Object.values(LISTS as unknown as Record<string, Partial<PlainList>>).flatMap(({ card }) => card ?? []);
  expect(cards.filter((name) => !own.includes(name))).toEqual([]);
  expect(cards.length).toBeGreaterThan(3);
});
