import { setImmediate as turn } from 'node:timers/promises';

import { CODE_RULES, type CodeRule } from './code-rules.js';
import { excerptOf } from './excerpt.js';
import type { FindingCollector } from './finding-collector.js';
import { isCode } from './file-kinds.js';
import { HIDDEN_CHARACTERS, hiddenKind } from './hidden-characters.js';
import { hostsIn } from './outbound-hosts.js';
import { findUses, type UsePlaces } from './permission-uses.js';

/** Characters scanned without yielding: a few milliseconds of work. */
const BLOCK = 32 * 1024;
/** Blocks overlap by the longest relevant match, so that no match is split. */
const OVERLAP = 512;
const LONG_LINE = 20_000;
const HUGE_LINE = 1024 * 1024;
/** Maximum hosts recorded per package. */
const MAX_HOSTS = 1_000;

/** Hosts found in the package with their first occurrence. */
export type HostPlaces = Map<string, { file: string; line: number; excerpt: string }>;

/** Scans the text of one file in small steps and yields to the event loop between them. */
export class TextScan {
  private block = '';
  private line = 1;
  private lineLength = 0;
  private longestLine = 0;
  private longestAt = 1;
  private first = true;

  constructor(
    private readonly file: string,
    private readonly findings: FindingCollector,
    private readonly hosts: HostPlaces,
    /** For plugin code: collects the permissions it uses. */
    private readonly uses: UsePlaces | null = null,
  ) {}

  /** Adds the next piece of text. */
  async add(text: string): Promise<void> {
    this.block += text;
    while (this.block.length >= BLOCK + OVERLAP) {
      this.scan(this.block.slice(0, BLOCK + OVERLAP), BLOCK);
      this.block = this.block.slice(BLOCK);
      await turn();
    }
  }

  /** Scans the remaining text. */
  end(): void {
    this.scan(this.block, this.block.length);
    this.measureLine();
    if (this.longestLine < LONG_LINE || !isCode(this.file)) return;
    const severity = this.longestLine >= HUGE_LINE || !/\.min\.|\.(?:svg|json|css)$/i.test(this.file) ? 'warning' : 'info';
    this.findings.add('minified', severity, { file: this.file, line: this.longestAt, params: { kb: Math.ceil(this.longestLine / 1024) } });
  }

  /** @param own matches starting after this offset belong to the next block */
  private scan(text: string, own: number): void {
    const lower = text.toLowerCase();
    for (const rule of CODE_RULES) {
      if (rule.hints.some((hint) => lower.includes(hint))) this.match(rule, text, own);
    }
    if (this.uses) this.findUses(this.uses, text, lower);
    if (lower.includes('://')) this.collectHosts(text, own);
    if (isCode(this.file)) this.findHidden(text, own);
    this.countLines(text, own);
    this.first = false;
  }

  private match({ rule, severity, pattern, secret, except }: CodeRule, text: string, own: number): void {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      if (match.index >= own) break;
      if (except?.(match)) continue;
      if (this.findings.isFull(rule, severity, this.file)) break;
      this.findings.add(rule, severity, {
        file: this.file,
        line: this.lineOf(text, match.index),
        excerpt: excerptOf(text, match.index, match[0].length, secret),
        text: secret ? 'secret' : rule,
      });
    }
    pattern.lastIndex = 0;
  }

  private findUses(uses: UsePlaces, text: string, lower: string): void {
    findUses(text, lower, uses, (permission, { index, 0: match }) =>
      uses.set(permission, { file: this.file, line: this.lineOf(text, index), excerpt: excerptOf(text, index, match.length) }),
    );
  }

  private findHidden(text: string, own: number): void {
    for (const match of text.matchAll(HIDDEN_CHARACTERS)) {
      if (match.index >= own) break;
      if (this.first && match.index === 0 && match[0] === '\ufeff') continue;
      const rule = `hidden.${hiddenKind(match)}`;
      if (this.findings.isFull(rule, 'danger', this.file)) break;
      this.findings.add(rule, 'danger', {
        file: this.file,
        line: this.lineOf(text, match.index),
        excerpt: excerptOf(text, match.index, match[0].length),
        text: 'hidden',
      });
    }
  }

  private collectHosts(text: string, own: number): void {
    for (const { host, index } of hostsIn(text)) {
      if (index >= own || this.hosts.has(host) || this.hosts.size >= MAX_HOSTS) continue;
      this.hosts.set(host, { file: this.file, line: this.lineOf(text, index), excerpt: excerptOf(text, index, host.length + 8) });
    }
  }

  private lineOf(text: string, index: number): number {
    let line = this.line;
    for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
    return line;
  }

  private countLines(text: string, own: number): void {
    let start = 0;
    for (let at = text.indexOf('\n'); at >= 0 && at < own; at = text.indexOf('\n', start)) {
      this.lineLength += at - start;
      this.measureLine();
      this.line += 1;
      this.lineLength = 0;
      start = at + 1;
    }
    this.lineLength += own - start;
  }

  private measureLine(): void {
    if (this.lineLength <= this.longestLine) return;
    this.longestLine = this.lineLength;
    this.longestAt = this.line;
  }
}
