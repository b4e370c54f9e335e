import { describe, expect, it } from 'vitest';

import { namesAbove, overlaps, readDomain, reversed, storedDomain } from './domain-name.js';

describe('a domain as entered', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  WWW.Example.COM. ', 'www.example.com'],
    ['http://www.example.com/', 'www.example.com'],
    ['HTTPS://www.example.com:443', 'www.example.com'],
    ['example.com:80', 'example.com'],
    ['例子.中国', 'xn--fsqu00a.xn--fiqs8s'],
    ['Bücher.example.com', 'xn--bcher-kva.example.com'],
    ['www。example。com', 'www.example.com'],
    ['xn--fsqu00a.xn--fiqs8s', 'xn--fsqu00a.xn--fiqs8s'],
    ['*.Example.com', '*.example.com'],
    ['*.例子.中国', '*.xn--fsqu00a.xn--fiqs8s'],
    [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
    ['me.github.io', 'me.github.io'],
  ])('%s is %s', (text, name) => {
    expect(readDomain(text)).toMatchObject({ name });
  });

  it.each([
    ['', 'form'],
    ['.', 'form'],
    ['a..com', 'form'],
    ['-a.com', 'form'],
    ['a_b.com', 'form'],
    ['a b.com', 'form'],
    ['user@example.com', 'form'],
    ['%65xample.com', 'form'],
    ['xn--a.com', 'form'],
    [`${'a'.repeat(64)}.com`, 'form'],
    [`${'a.'.repeat(126)}com`, 'form'],
    ["x'; DROP TABLE--.com", 'form'],
    ['example.com\0', 'form'],
    ['example.com:8080', 'port'],
    ['example.com/shop', 'path'],
    ['example.com?x', 'path'],
    ['example.com\\x', 'path'],
    ['*', 'wildcard'],
    ['a.*.com', 'wildcard'],
    ['*.*.com', 'wildcard'],
    ['w*.example.com', 'wildcard'],
    ['1.2.3.4', 'address'],
    ['*.1.2.3.4', 'address'],
    ['0x7f.1', 'address'],
    ['2130706433', 'address'],
    ['1.2.3.0x4', 'address'],
    ['::1', 'address'],
    ['[::1]:80', 'address'],
    ['１.２.３.４', 'address'],
    ['localhost', 'local'],
    ['a.localhost', 'local'],
    ['LOCALHOST.', 'local'],
    ['printer.local', 'local'],
    ['a.internal', 'local'],
    ['1.0.0.127.in-addr.arpa', 'local'],
    ['shop.test', 'local'],
    ['com', 'suffix'],
    ['*.com', 'suffix'],
    ['co.uk', 'suffix'],
    ['*.co.uk', 'suffix'],
    ['com.cn', 'suffix'],
    // Private suffixes: their owners give out names below them.
    ['github.io', 'suffix'],
    ['*.github.io', 'suffix'],
    ['GitHub.IO.', 'suffix'],
    ['pages.dev', 'suffix'],
    ['s3.amazonaws.com', 'suffix'],
  ])('%j cannot be bound: %s', (text, problem) => {
    expect(readDomain(text)).toBe(problem);
  });

  it('knows the parent names, and which names can match the same host', () => {
    expect(namesAbove('a.b.example.com')).toEqual(['b.example.com', 'example.com']);
    expect(namesAbove('example.com')).toEqual([]);
    expect(reversed('a.example.com')).toBe('com.example.a');
    const meet = (one: string, other: string) => overlaps(storedDomain(one), storedDomain(other));
    expect([meet('*.a.com', 'b.a.com'), meet('b.a.com', '*.a.com'), meet('*.a.com', '*.a.com'), meet('a.com', 'a.com')]).not.toContain(
      false,
    );
    expect([meet('*.a.com', 'a.com'), meet('*.a.com', 'c.b.a.com'), meet('*.a.com', '*.b.a.com'), meet('a.com', 'b.a.com')]).not.toContain(
      true,
    );
  });
});
