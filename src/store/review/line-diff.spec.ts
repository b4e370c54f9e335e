import { describe, expect, it } from 'vitest';

import { lineDiff } from './line-diff.js';

const numbers = Array.from({ length: 20 }, (_none, i) => String(i + 1));

describe('the diff of two texts', () => {
  it('contains the changed lines with context', () => {
    const after = numbers.flatMap((line) => (line === '10' ? ['ten'] : line === '11' ? [line, 'new'] : [line]));
    expect(lineDiff(numbers.join('\n'), after.join('\n'))).toBe('@@ -7 +7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n+new\n 12\n 13\n 14');
  });

  it('separates distant changes', () => {
    expect(lineDiff(numbers.join('\n'), ['0', ...numbers.slice(1, 19), '21'].join('\n'))).toBe(
      '@@ -1 +1 @@\n-1\n+0\n 2\n 3\n 4\n@@ -17 +17 @@\n 17\n 18\n 19\n-20\n+21',
    );
  });

  it('is empty without differences', () => {
    expect(lineDiff('a\nb', 'a\nb')).toBe('');
  });

  it('is a replacement if there are too many lines to compare', () => {
    const many = (mark: string): string => Array.from({ length: 3_000 }, (_none, i) => `${mark}${i}`).join('\n');
    expect(lineDiff(many('a'), many('b')).split('\n')).toHaveLength(6_001);
  });
});
