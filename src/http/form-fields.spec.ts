import { parse as parseQuerystring } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyError } from '../http/index.js';
import { MAX_FIELDS, MAX_KEY_LENGTH, parseForm } from './form-fields.js';

const form = (text: string): Record<string, string> => ({ ...parseForm(Buffer.from(text)) });

describe('parseForm', () => {
  it('reads fields, spaces and UTF-8', () => {
    expect(form('gn=login&user=a+b%2Bc&name=%E5%95%86%E5%BA%97&empty=&bare&&=x&eq=a=b')).toEqual({
      gn: 'login',
      user: 'a b+c',
      name: '商店',
      empty: '',
      bare: '',
      eq: 'a=b',
    });
    expect(form('name=商店')).toEqual({ name: '商店' });
    expect(form('')).toEqual({});
  });

  it('keeps percent-encoding that is not valid UTF-8 unchanged', () => {
    expect(form('a=100%&b=%zz%41&c=%C9%CC+%41&%=1&d=%')).toEqual({ a: '100%', b: '%zzA', c: '%C9%CC A', '%': '1', d: '%' });
  });

  it.each([
    ['idsz[]=1&idsz[]=2', { idsz: '["1","2"]' }],
    ['idsz%5B%5D=1', { idsz: '["1"]' }],
    ['list[0]=a&list[1]=b', { list: '["a","b"]' }],
    ['list[1]=b&list[0]=a', { list: '["a","b"]' }],
    ['list[2]=b&list[]=c', { list: '{"2":"b","1":"c"}' }],
    ['a=1&a=2&a=3', { a: '["1","2","3"]' }],
    ['a=1&a[]=2&a[x]=3', { a: '{"0":"1","1":"2","x":"3"}' }],
    ['bdf[1][cz]=input&bdf[1][ms]=x&bdf[2][cz]=y', { bdf: '{"1":{"cz":"input","ms":"x"},"2":{"cz":"y"}}' }],
    ['a[x]=1&a[x]=2&a[x][y]=3', { a: '{"x":{"0":"1","1":"2","y":"3"}}' }],
    ['a[]=1&z=0&a[]=2', { a: '["1","2"]', z: '0' }],
    ['a[b=1&[c]=2&a]=3&a[b]c=4&a[[b]]=5', { 'a[b': '1', '[c]': '2', 'a]': '3', 'a[b]c': '4', 'a[[b]]': '5' }],
    ['a[999999999]=1', { a: '{"999999999":"1"}' }],
  ])('reads %s', (text, fields) => {
    expect(form(text)).toEqual(fields);
  });

  it('treats names of object prototypes like any other name', () => {
    const fields = parseForm(Buffer.from('__proto__=1&constructor=2&a[__proto__][polluted]=3&__proto__[x]=4'));
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect(Object.entries(fields)).toEqual([
      ['__proto__', '{"0":"1","x":"4"}'],
      ['constructor', '2'],
      ['a', '{"__proto__":{"polluted":"3"}}'],
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('accepts forms at the limits, and rejects forms beyond them', () => {
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}=v`).join('&');
    expect(Object.keys(form(fields(MAX_FIELDS)))).toHaveLength(MAX_FIELDS);
    expect(form(`${'k'.repeat(MAX_KEY_LENGTH)}=v&a[1][2][3][4][5]=x`).a).toBe('{"1":{"2":{"3":{"4":{"5":"x"}}}}}');
    for (const text of [
      fields(MAX_FIELDS + 1),
      `${'k'.repeat(MAX_KEY_LENGTH + 1)}=v`,
      'a[1][2][3][4][5][6]=x',
      'a[]=1&'.repeat(MAX_FIELDS + 1),
    ]) {
      expect(() => form(text)).toThrow(
        expect.objectContaining({ code: 'BODY_TOO_LARGE', shape: expect.objectContaining({ status: 413 }) }),
      );
    }
  });

  it('agrees with node:querystring for plain, unique, well-encoded names', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((key) => !key.includes('[')),
          fc.string({ unit: 'grapheme' }),
        ),
        (fields) => {
          const text = new URLSearchParams(fields).toString();
          expect(form(text)).toEqual({ ...parseQuerystring(text) });
        },
      ),
    );
  });

  it('returns strings or throws BodyError for any bytes', () => {
    const piece = fc.constantFrom('a', '__proto__', '[', ']', '[]', '[0]', '[1]', '[x]', '=', '&', '%', '%5B', '%ff', '+', '1', '商');
    const bytes = fc.oneof(
      fc.array(piece, { maxLength: 60, size: 'max' }).map((pieces) => Buffer.from(pieces.join(''))),
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          for (const value of Object.values(parseForm(body))) {
            expect(typeof value).toBe('string');
          }
        } catch (error) {
          expect(error).toBeInstanceOf(BodyError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
