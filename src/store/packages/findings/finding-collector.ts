import type { TextParams } from '../../../common/index.js';

import type { FindingSeverity, PackageFinding } from './finding.js';

/** At most this many findings leave; the gravest ones do. */
export const MAX_FINDINGS = 200;
/** Ends a list that was too long. */
export const MORE: PackageFinding = {
  rule: 'more',
  severity: 'info',
  file: '',
  line: 0,
  excerpt: '',
  text: { key: 'packages.finding.more', params: {} },
};
/** Of one rule in one file; the first ones tell enough. */
const MAX_PER_RULE_AND_FILE = 5;

const SEVERITIES: readonly FindingSeverity[] = ['danger', 'warning', 'info'];

/** Place and excerpt of a finding. */
export interface FindingPlace {
  file?: string;
  line?: number;
  excerpt?: string;
  params?: TextParams;
  /** Key of the text where it is not the rule's own. */
  text?: string;
}

/** Takes findings while a package is scanned, within bounds. */
export class FindingCollector {
  private readonly bySeverity: Record<FindingSeverity, PackageFinding[]> = { danger: [], warning: [], info: [] };
  private readonly counts = new Map<string, number>();
  private complete = true;

  /** @param rule its text is `packages.finding.<rule>` */
  add(rule: string, severity: FindingSeverity, { file = '', line = 0, excerpt = '', params = {}, text = rule }: FindingPlace = {}): void {
    if (this.isFull(rule, severity, file)) return;
    const place = `${rule}\0${file}`;
    this.counts.set(place, (this.counts.get(place) ?? 0) + 1);
    this.bySeverity[severity].push({ rule, severity, file, line, excerpt, text: { key: `packages.finding.${text}`, params } });
  }

  /** Whether one more of that kind would be dropped; asking means there is one. */
  isFull(rule: string, severity: FindingSeverity, file: string): boolean {
    const full = this.bySeverity[severity].length >= MAX_FINDINGS || (this.counts.get(`${rule}\0${file}`) ?? 0) >= MAX_PER_RULE_AND_FILE;
    if (full) this.complete = false;
    return full;
  }

  /** The gravest first, in the order of the package; where some were left out the last one says so. */
  result(): PackageFinding[] {
    const all = SEVERITIES.flatMap((severity) => this.bySeverity[severity]);
    if (this.complete && all.length <= MAX_FINDINGS) return all;
    return [...all.slice(0, MAX_FINDINGS - 1), MORE];
  }
}
