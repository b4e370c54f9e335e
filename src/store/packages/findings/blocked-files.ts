import type { FileDigest } from '../../../packaging/index.js';

import { MORE, MAX_FINDINGS } from './finding-collector.js';
import type { PackageFinding } from './finding.js';

/** Finding for a file, or a whole package, that an administrator has blocked. */
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

/** Joins two lists of findings, the more serious ones first, up to {@link MAX_FINDINGS}; a last entry says that some were omitted. */
export function joinFindings<Finding>(first: readonly PackageFinding[], rest: readonly Finding[]): (PackageFinding | Finding)[] {
  const all = [...first, ...rest];
  return all.length <= MAX_FINDINGS ? all : [...all.slice(0, MAX_FINDINGS - 1), MORE];
}
