import { describe, expect, it } from 'vitest';

import { parseRange } from './byte-range.js';

describe('a Range header for 100 bytes', () => {
  it.each([
    [undefined, { kind: 'whole' }],
    ['bytes=0-', { kind: 'part', range: { start: 0, end: 99 } }],
    ['bytes=10-19', { kind: 'part', range: { start: 10, end: 19 } }],
    ['bytes=90-500', { kind: 'part', range: { start: 90, end: 99 } }],
    ['bytes=-10', { kind: 'part', range: { start: 90, end: 99 } }],
    ['bytes=-500', { kind: 'part', range: { start: 0, end: 99 } }],
    ['bytes=-0', { kind: 'none' }],
    ['bytes=100-', { kind: 'none' }],
    ['bytes=9-1', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['items=0-1', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
  ])('%s', (header, wish) => {
    expect(parseRange(header, 100)).toEqual(wish);
  });
});
