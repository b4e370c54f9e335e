import { asRecord } from '../record.js';
import { flag, keywordList, wordList } from './values.js';

/** Folders skipped by default. */
export const SKIPPED_DIRS = ['.git', 'node_modules', 'vendor', 'runtime', 'cache', 'logs'];

/** File suffixes skipped by default. */
export const SKIPPED_SUFFIXES = ['jpg', 'png', 'gif', 'webp', 'mp4', 'zip', 'rar', '7z', 'pdf', 'woff', 'ttf'];

/** Scan settings from `get_config`. */
export interface PanelSettings {
  enabled: boolean;
  keywords: string[];
  changedOnly: boolean;
  root: string;
  skippedDirs: string[];
  skippedSuffixes: string[];
  maxFileSize: unknown;
  maxMatches: unknown;
  fullEnabled: boolean;
  fullCron: string;
}

/** @param value the `forbidden_scan` of `get_config` */
export function readPanelSettings(value: unknown): PanelSettings {
  const raw = asRecord(value) ?? {};
  return {
    enabled: flag(raw.enabled, false),
    keywords: keywordList(raw.content),
    changedOnly: flag(raw.scan_changed_only, true),
    root: typeof raw.scan_dir === 'string' ? raw.scan_dir : '',
    skippedDirs: wordList(raw.skip_dirs, SKIPPED_DIRS),
    skippedSuffixes: wordList(raw.skip_exts, SKIPPED_SUFFIXES),
    maxFileSize: raw.max_file_size,
    maxMatches: raw.max_matches,
    fullEnabled: flag(raw.full_scan_enabled, false),
    fullCron: typeof raw.full_scan_cron === 'string' ? raw.full_scan_cron : '',
  };
}
