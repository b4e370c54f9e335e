import { Injectable } from '@nestjs/common';

import { SiteSettings } from '../../site/index.js';
import { clip, type ConfigData } from '../wire/index.js';

const KEYWORD_LENGTH = 250;

/** Settings of scans. */
@Injectable()
export class ScanSettings {
  constructor(private readonly settings: SiteSettings) {}

  /** Returns the settings in the format for agents. */
  forAgents(): ConfigData {
    const site = this.settings.current;
    return {
      forbidden_scan: {
        enabled: site.scanEnabled,
        content: site.scanKeywords ?? '',
        scan_changed_only: site.scanChangedOnly,
        scan_dir: site.scanRoot,
        skip_dirs: site.scanSkippedFolders,
        skip_exts: site.scanSkippedSuffixes,
        max_file_size: site.scanMaxFileBytes,
        max_matches: site.scanMaxMatches,
        full_scan_enabled: site.fullScanEnabled,
        full_scan_cron: site.fullScanCron,
      },
    };
  }

  /** Returns the forbidden keywords without comments. */
  keywords(): string[] {
    return keywordsOf(this.settings.current.scanKeywords ?? '');
  }
}

/** Parses a text with one keyword per line; empty lines and lines that start with `#` are skipped. */
export function keywordsOf(text: string): string[] {
  const words = text.split(/\r?\n/).map((line) => clip(line, KEYWORD_LENGTH).trim());
  return [...new Set(words.filter((word) => word !== '' && !word.startsWith('#')))];
}
