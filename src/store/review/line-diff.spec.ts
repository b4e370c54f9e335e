import { describe, expect, it } from 'vitest';

import { lineDiff } from './line-diff.js';

const numbers = Array.from({ length: 20 }, (_none, i) => String(i + 1));

describe('differences of two texts', () => {
  it('are the changed lines with some around them', () => {
    const after = numbers.flatMap((line) => (line === '10' ? ['ten'] : line === '11' ? [line, 'new'] : [line]));
    expect(lineDiff(numbers.join('\n'), after.join('\n'))).toBe('@@ -7 +7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n+new\n 12\n 13\n 14');
  });

  it('far apart are parted', () => {
    expect(lineDiff(numbers.join('\n'), ['0', ...numbers.slice(1, 19), '21'].join('\n'))).toBe(
      '@@ -1 +1 @@\n-1\n+0\n 2\n 3\n 4\n@@ -17 +17 @@\n 17\n 18\n 19\n-20\n+21',
    );
  });

  it('are nothing where there are none', () => {
    expect(lineDiff('a\nb', 'a\nb')).toBe('');
  });

  it('too many to compare are a replacement', () => {
    const many = (mark: string): string => Array.from({ length: 3_000 }, (_none, i) => `${mark}${i}`).join('\n');
    expect(lineDiff(many('a'), many('b')).split('\n')).toHaveLength(6_001);
  });
});
