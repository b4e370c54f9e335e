import type { FileDigest } from '../../../packaging/index.js';

import { MORE, MAX_FINDINGS } from './finding-collector.js';
import type { PackageFinding } from './finding.js';

/** What author and reviewer read of a file, or a whole package, that an administrator has blocked. */
export function blockedFinding({ path, sha256 }: FileDigest): PackageFinding {
  return {
    rule: 'blocked',
    severity: 'danger',
    file: path,
    line: 0,
    excerpt: sha256,
    text: { key: `packages.finding.${path === '' ? 'blocked_package' : 'blocked'}`, params: {} },
  };
}

/** Findings of two makings, the graver ones given first, at most {@link MAX_FINDINGS}: where some were left out the last one says so. */
export function joinFindings<Finding>(first: readonly PackageFinding[], rest: readonly Finding[]): (PackageFinding | Finding)[] {
  const all = [...first, ...rest];
  return all.length <= MAX_FINDINGS ? all : [...all.slice(0, MAX_FINDINGS - 1), MORE];
}
