import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { LOCALES, translate } from '../common/index.js';

import { STORE_ERRORS, StoreError, type StoreErrorCode } from './errors.js';
import './store.module.js';

const wordless = (keys: readonly string[]): string[] => LOCALES.flatMap((locale) => keys.filter((key) => translate(locale, key) === key));

describe('an error of the store', () => {
  it('has a text in every language, for every code', () => {
    const codes = Object.keys(STORE_ERRORS) as StoreErrorCode[];
    expect(wordless(codes.map((code) => new StoreError(code).shape.text))).toEqual([]);
  });

  it('has a text in every language for each rule of a form', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const rules = sources.flatMap((name) =>
      [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/message: '(store\.\w+)'/g)].map(([, key]) => key!),
    );
    expect(rules.length).toBeGreaterThan(50);
    expect(wordless(rules)).toEqual([]);
  });

  it('is reported with the text of the broken form rule', () => {
    expect(new StoreError('INVALID', {}, { rule: 'store.token_days' }).shape).toEqual({
      err: 'E_ARGS',
      status: 400,
      text: 'store.token_days',
    });
  });
});
