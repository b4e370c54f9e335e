import { describe, expect, it } from 'vitest';

import { blockedFinding, joinFindings } from './blocked-files.js';
import { MAX_FINDINGS } from './finding-collector.js';

const blocked = (n: number) => Array.from({ length: n }, (_, i) => blockedFinding({ path: `${i}.js`, sha256: 'a'.repeat(64) }));

describe('joinFindings', () => {
  it('puts the more serious ones first and keeps all while they fit', () => {
    const [one, ...rest] = blocked(MAX_FINDINGS);
    expect(joinFindings([one!], rest)).toEqual([one, ...rest]);
    expect(joinFindings([], rest)).toEqual(rest);
  });

  it('says that some were omitted if they do not fit', () => {
    const all = joinFindings(blocked(3), blocked(MAX_FINDINGS - 2));
    expect(all).toHaveLength(MAX_FINDINGS);
    expect(all.slice(0, 3)).toEqual(blocked(3));
    expect(all.at(-1)).toMatchObject({ rule: 'more' });
  });
});
