import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { marksOf, mayHave, sketchOf } from './text-sketch.js';

const long = fc.string({ unit: 'binary', minLength: 256, maxLength: 3_000 });

describe('the sketch of a text', () => {
  it('never denies a contained text', () => {
    fc.assert(
      fc.property(long, fc.nat(), fc.integer({ min: 1, max: 200 }), (text, from, length) => {
        const start = from % text.length;
        expect(mayHave(sketchOf(text), marksOf(text.slice(start, start + length)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('denies nearly all other texts', () => {
    const sketch = sketchOf(Array.from({ length: 1_000 }, (_, at) => `数据${at}备份`).join('，'));
    const others = Array.from({ length: 5_000 }, (_, at) => String.fromCharCode(0x4e00 + at, 0x9000 - at));
    expect(others.filter((other) => mayHave(sketch, marksOf(other))).length).toBeLessThan(250);
  });
});
