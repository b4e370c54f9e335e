import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

const KEY = /^\s*("(?:[^"\\]|\\.)+"):/gm;
const PLACEHOLDER = /\{\w+\}/g;

const english = ['src', 'plugins', 'themes'].flatMap((folder) =>
  readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('lang/en.json'))
    .map((path) => join(folder, path)),
);

it('have each key once, in both languages, with the same placeholders', () => {
  expect(english.length).toBeGreaterThan(50);
  const problems = english.flatMap((path) => {
    const files = [path, join(dirname(path), 'zh-CN.json')].map((name) => join(PACKAGE_ROOT, name));
    if (!files.every((file) => existsSync(file))) return [`${path}: one language only`];
    const [en, zh] = files.map((file) => readFileSync(file, 'utf8')) as [string, string];
    const twice = [en, zh].flatMap((text) => {
      const keys = [...text.matchAll(KEY)].map(([, key]) => JSON.parse(key!) as string);
      return keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${path}: ${key} twice`);
    });
    const [enTexts, zhTexts] = [en, zh].map((text) => JSON.parse(text) as Record<string, string>) as [
      Record<string, string>,
      Record<string, string>,
    ];
    // English has separate singular texts for some keys.
    const different = [...new Set([...Object.keys(enTexts), ...Object.keys(zhTexts)])].filter(
      (key) => !key.endsWith('.one') && placeholdersOf(enTexts[key]) !== placeholdersOf(zhTexts[key]),
    );
    return [...twice, ...different.map((key) => `${path}: ${key} differs`)];
  });
  expect(problems).toEqual([]);
});

it('call the agent 节点程序 in Chinese, and nothing else', () => {
  const others = english.flatMap((path) => {
    const text = readFileSync(join(PACKAGE_ROOT, dirname(path), 'zh-CN.json'), 'utf8');
    return [...text.matchAll(/^.*(?:被控|探针|客户端程序).*$/gm)].map(([line]) => `${path}: ${line}`);
  });
  expect(others).toEqual([]);
});

/** Sorted names of the placeholders; null for a missing text. */
function placeholdersOf(text: string | undefined): string | null {
  return text === undefined ? null : [...new Set(text.match(PLACEHOLDER))].sort().join(' ');
}
