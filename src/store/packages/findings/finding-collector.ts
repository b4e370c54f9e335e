import type { TextParams } from '../../../common/index.js';

import type { FindingSeverity, PackageFinding } from './finding.js';

/** Maximum findings returned; the most serious are kept. */
export const MAX_FINDINGS = 200;
/** Last entry of a truncated list. */
export const MORE: PackageFinding = {
  rule: 'more',
  severity: 'info',
  file: '',
  line: 0,
  excerpt: '',
  text: { key: 'packages.finding.more', params: {} },
};
/** Maximum findings per rule and file. */
const MAX_PER_RULE_AND_FILE = 5;

const SEVERITIES: readonly FindingSeverity[] = ['danger', 'warning', 'info'];

/** Location and excerpt of a finding. */
export interface FindingPlace {
  file?: string;
  line?: number;
  excerpt?: string;
  params?: TextParams;
  /** Text key if it is not derived from the rule. */
  text?: string;
}

/** Collects findings during a scan, up to the limits. */
export class FindingCollector {
  private readonly bySeverity: Record<FindingSeverity, PackageFinding[]> = { danger: [], warning: [], info: [] };
  private readonly counts = new Map<string, number>();
  private complete = true;

  /** @param rule its text key is `packages.finding.<rule>` */
  add(rule: string, severity: FindingSeverity, { file = '', line = 0, excerpt = '', params = {}, text = rule }: FindingPlace = {}): void {
    if (this.isFull(rule, severity, file)) return;
    const place = `${rule}\0${file}`;
    this.counts.set(place, (this.counts.get(place) ?? 0) + 1);
    this.bySeverity[severity].push({ rule, severity, file, line, excerpt, text: { key: `packages.finding.${text}`, params } });
  }

  /** Whether another finding of this rule would be dropped. Returning true also marks the result as truncated. */
  isFull(rule: string, severity: FindingSeverity, file: string): boolean {
    const full = this.bySeverity[severity].length >= MAX_FINDINGS || (this.counts.get(`${rule}\0${file}`) ?? 0) >= MAX_PER_RULE_AND_FILE;
    if (full) this.complete = false;
    return full;
  }

  /** Returns the findings, most serious first, in package order; a last entry says that some were omitted. */
  result(): PackageFinding[] {
    const all = SEVERITIES.flatMap((severity) => this.bySeverity[severity]);
    if (this.complete && all.length <= MAX_FINDINGS) return all;
    return [...all.slice(0, MAX_FINDINGS - 1), MORE];
  }
}
