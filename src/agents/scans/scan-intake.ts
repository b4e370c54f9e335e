import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AllowList } from './allow-list.js';
import { ScanHosts } from './scan-hosts.js';
import type { KeptMatch, KeptScan } from './scan-report.js';

/** Length of stored hashes in hex digits: 128 bits. */
const KEY_LENGTH = 32;
/** Matches in files. Matches in logs and databases are listed but not assigned to a host, because visitors can write there. */
const FILE = 'file';

/** A match with its host and keys. */
export interface KnownMatch extends KeptMatch {
  readonly hostId: number | null;
  readonly fileKey: string;
  readonly matchKey: string;
}

/** A scan without allowed matches. */
export interface KnownScan extends KeptScan {
  readonly matches: readonly KnownMatch[];
  /** Hash of all matches. */
  readonly contentKey: string;
}

/** Assigns the matches of a report to hosts and filters allowed ones. */
@Injectable()
export class ScanIntake {
  constructor(
    private readonly hosts: ScanHosts,
    private readonly allowed: AllowList,
  ) {}

  /** Only hosts on the agent's own server are considered. */
  async of(nodeId: string, scan: KeptScan): Promise<KnownScan> {
    const files = scan.matches.filter(({ type }) => type === FILE).map(({ target }) => target);
    const [hosts, isAllowed] = await Promise.all([this.hosts.of(nodeId, [...new Set(files)]), this.allowed.checker()]);
    const known = scan.matches.map((match): KnownMatch => {
      const isFile = match.type === FILE;
      return {
        ...match,
        hostId: isFile ? (hosts.get(match.target) ?? null) : null,
        fileKey: isFile ? keyOf(nodeId, match.target) : '',
        matchKey: keyOf(nodeId, match.type, match.target, match.keyword, match.excerpt),
      };
    });
    const matches = known.filter((match) => !isAllowed(match));
    const dropped = known.length - matches.length;
    return {
      ...scan,
      matches,
      matchCount: scan.matchCount - dropped,
      summary: dropped === 0 ? scan.summary : { ...scan.summary, allowed_matches: dropped },
      contentKey: contentOf(scan, matches),
    };
  }
}

function contentOf({ status, site, matchCount, summary }: KeptScan, matches: readonly KnownMatch[]): string {
  const found = matches.map(({ matchKey, line }) => `${matchKey}:${line}`).sort();
  return keyOf(status, site, String(matchCount), String(summary.error ?? ''), ...found);
}

function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, KEY_LENGTH);
}
