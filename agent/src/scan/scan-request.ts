import { bareSuffix } from '../config/parse-config.js';
import type { ScanRules } from '../files/walk-files.js';
import { KEYWORD_LIMITS } from '../search/keyword-matcher.js';
import { clip, oneLine } from '../text.js';
import { TaskRefused } from './ends.js';
import { REPORT_LIMITS } from './limits.js';
import { type PanelSettings, SKIPPED_DIRS, SKIPPED_SUFFIXES } from './panel-settings.js';
import { realRoot } from './scan-root.js';
import { bounded, flag, keywordList, wordList } from './values.js';

const DEFAULT_FILE_SIZE = 5 * 1024 * 1024;

const MAX_FILE_SIZE = 50 * 1024 * 1024;

const DEFAULT_MATCHES = 1_000;

/** Validated parameters of a scan. */
export interface ScanRequest {
  site: string;
  /** Real path. */
  root: string;
  keywords: string[];
  /** Number of keywords dropped for length or count. */
  dropped: number;
  /** Bytes. */
  maxFileSize: number;
  maxMatches: number;
  changedOnly: boolean;
  mode: 'full' | 'incremental';
  /** Why the agent started it itself, or ''. */
  trigger: string;
  rules: ScanRules;
}

/**
 * Validates the scan parameters of a task.
 *
 * @throws TaskRefused
 */
export async function readScanRequest(
  payload: Record<string, unknown>,
  config: { sitesRoot: string | null; textSuffixes: string[] },
  settings: PanelSettings | null,
): Promise<ScanRequest> {
  const root = await realRoot(payload.root, config.sitesRoot);
  const { keywords, dropped } = cleanKeywords(keywordList(payload.keywords));
  if (keywords.length === 0) throw new TaskRefused('words_missing', { n: KEYWORD_LIMITS.length });
  const mode =
    payload.scan_mode === 'full' || payload.scan_mode === 'incremental'
      ? payload.scan_mode
      : flag(payload.scan_changed_only, false)
        ? 'incremental'
        : 'full';
  return {
    site: clip(oneLine(typeof payload.site === 'string' ? payload.site : ''), 250),
    root,
    keywords,
    dropped,
    maxFileSize: bounded(payload.max_file_size, DEFAULT_FILE_SIZE, MAX_FILE_SIZE),
    maxMatches: bounded(payload.max_matches, DEFAULT_MATCHES, REPORT_LIMITS.matches),
    changedOnly: mode === 'incremental' && flag(payload.scan_changed_only, true),
    mode,
    trigger: flag(payload.auto_trigger, false) ? clip(oneLine(String(payload.trigger_reason ?? '')), 100) : '',
    rules: {
      suffixes: new Set(config.textSuffixes),
      skippedDirs: new Set(
        wordList(payload.skip_dirs, settings?.skippedDirs ?? SKIPPED_DIRS).map((dir) => dir.toLowerCase().replace(/^\.?\/+|\/+$/g, '')),
      ),
      skippedSuffixes: new Set(wordList(payload.skip_exts, settings?.skippedSuffixes ?? SKIPPED_SUFFIXES).map(bareSuffix)),
    },
  };
}

/** Trims keywords and drops empty, duplicate and overlong ones. */
function cleanKeywords(words: string[]) {
  const kept: Map<string, string> = new Map();
  let dropped = 0;
  let characters = 0;
  for (const word of words) {
    const keyword = word.trim();
    if (keyword === '' || kept.has(keyword.toLowerCase())) continue;
    const fits =
      keyword.length <= KEYWORD_LIMITS.length &&
      kept.size < KEYWORD_LIMITS.count &&
      characters + keyword.length <= KEYWORD_LIMITS.characters &&
      !/[\r\n\0]/.test(keyword);
    if (!fits) dropped++;
    else {
      kept.set(keyword.toLowerCase(), keyword);
      characters += keyword.length;
    }
  }
  return { keywords: [...kept.values()], dropped };
}
