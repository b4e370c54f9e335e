import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isPublicName, parseHostPort } from './targets.js';
import { STATUS_RULES, fitsRule, matchesContent, matchesStatus, statusRuleOf } from './rules.js';
import { readHeaders } from './sealed-headers.js';

const status = fc.integer({ min: 100, max: 599 });

describe('status rules', () => {
  it('compare as named, each with its opposite', () => {
    fc.assert(
      fc.property(status, status, status, (found, a, b) => {
        const value = String(a);
        for (const [rule, opposite] of [
          ['eq', 'neq'],
          ['gte', 'lt'],
          ['lte', 'gt'],
          ['in', 'not_in'],
        ] as const)
          expect(matchesStatus(rule, value, found)).toBe(!matchesStatus(opposite, value, found));
        expect(matchesStatus('eq', value, found)).toBe(found === a);
        expect(matchesStatus('gte', value, found)).toBe(found >= a);
        expect(matchesStatus('in', `${a}, ${b}`, found)).toBe(found === a || found === b);
        expect(matchesStatus('range', `${a}-${b}`, found)).toBe(found >= a && found <= b);
      }),
    );
  });

  it('accept aliases, and an unknown rule never matches', () => {
    expect(['ne', 'not_eq', 'ge', 'le', 'eq'].map(statusRuleOf)).toEqual(['neq', 'neq', 'gte', 'lte', 'eq']);
    fc.assert(
      fc.property(fc.string(), fc.string(), status, (rule, value, found) => {
        fc.pre(!(STATUS_RULES as readonly string[]).includes(statusRuleOf(rule)));
        expect(matchesStatus(rule, value, found)).toBe(false);
      }),
    );
  });

  it('accept only valid values', () => {
    for (const [rule, value] of [
      ['eq', '200'],
      ['in', '200, 204'],
      ['not_in', '500'],
      ['in', '200，204'],
      ['range', '200-299'],
    ] as const)
      expect(fitsRule(rule, value), rule).toBe(true);
    for (const [rule, value] of [
      ['eq', '2xx'],
      ['eq', ''],
      ['in', '200,'],
      ['range', '200'],
      ['range', '-'],
      ['range', '299-200'],
      ['gt', '1e3'],
    ] as const)
      expect(fitsRule(rule, value), `${rule} ${value}`).toBe(false);
  });
});

describe('content rules', () => {
  it('search for the exact text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, wanted, after) => {
        const body = before + wanted + after;
        expect(matchesContent('contains', wanted, body)).toBe(true);
        expect(matchesContent('not_contains', wanted, body)).toBe(false);
      }),
    );
    expect(matchesStatus('in', '200，204', 204)).toBe(true);
    expect(matchesContent('contains', 'ok', 'OK')).toBe(false);
  });

  it('find any value of a JSON document by its path and never throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (document, value) => {
        expect(matchesContent('json', value, JSON.stringify(document))).toBeTypeOf('boolean');
        expect(matchesContent('json', `a.0.b=${JSON.stringify(document)}`, JSON.stringify({ a: [{ b: document }] }))).toBe(
          typeof document !== 'string',
        );
      }),
    );
    expect(matchesContent('json', 'data.status=ok', '{"data":{"status":"ok"}}')).toBe(true);
    expect(matchesContent('json', 'data.status', '{"data":{"status":null}}')).toBe(true);
    for (const path of ['__proto__', 'constructor.name', 'data.missing', ''])
      expect(matchesContent('json', path, '{"data":{}}'), path).toBe(false);
    expect(matchesContent('json', 'a=1', '<html>')).toBe(false);
  });
});

describe('targets and names', () => {
  it('are parsed from user input', () => {
    expect(parseHostPort('mail.example.com:25')).toEqual({ host: 'mail.example.com', port: 25 });
    expect(parseHostPort('[2606:4700::1]:443')).toEqual({ host: '2606:4700::1', port: 443 });
    expect(parseHostPort('www.example.com', 443)).toEqual({ host: 'www.example.com', port: 443 });
    expect(parseHostPort('例子.测试:25')).toEqual({ host: 'xn--fsqu00a.xn--0zwm56d', port: 25 });
    for (const text of [
      '',
      'mail',
      ':25',
      'a b:25',
      'mail:0',
      'mail:65536',
      'http://mail:25',
      'mail:25/x',
      'user@mail:25',
      '[::1]',
      '-a:25',
    ])
      expect(parseHostPort(text), text).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => void parseHostPort(text, 443)));
  });

  it('are public or not', () => {
    for (const name of ['example.com', 'a.b.example.com.', 'xn--fiqs8s.cn', '例子.测试', '_dmarc.example.com'])
      expect(isPublicName(name), name).toBe(true);
    for (const name of [
      'localhost',
      'db.internal',
      'printer.local',
      'a.localhost',
      'db。internal',
      'intranet',
      '10.0.0.1',
      '1.168.192.in-addr.arpa',
      '',
    ])
      expect(isPublicName(name), name).toBe(false);
  });
});

it('headers are lines with a name and a value, without line breaks', () => {
  expect(readHeaders('Accept: */*\n\nX-Key:  a: b ')).toEqual({ Accept: '*/*', 'X-Key': 'a: b' });
  for (const lines of ['no colon', ': x', 'a b: c', 'X: \u0000', 'X: ü']) expect(readHeaders(lines), lines).toBeNull();
});
