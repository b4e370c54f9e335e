import { createHash } from 'node:crypto';
import { closeSync, fstatSync } from 'node:fs';
import path from 'node:path';

import type { ScanMatch } from '../../../src/agents/wire/node-api.js';

import { codeOf, messageOf } from '../errors.js';
import { toBytePath, toShownPath, toSystemPath } from '../files/byte-path.js';
import { FileIndex, type Known, knownOf } from '../files/file-index.js';
import { isInPlace, linkStat, openFile, partsOf, readAll } from '../files/open-file.js';
import { walkFiles } from '../files/walk-files.js';
import { type Log } from '../log.js';
import { KeywordMatcher } from '../search/keyword-matcher.js';
import type { LineMatch } from '../search/line-search.js';
import { searchBytes, searchParts } from '../search/search-bytes.js';
import { clip, localTime } from '../text.js';
import { Stopped } from './ends.js';
import { REPORT_LIMITS } from './limits.js';
import type { ScanRequest } from './scan-request.js';

/** Larger files are searched in chunks and not hashed. */
const HASHED_BELOW = 1024 * 1024;

/** Files read at the same time. */
const THREADS = 32;

/** Maximum number of files; beyond it the scan stops with a note because the index is held in memory. */
const FILE_LIMIT = 1_000_000;

const KEPT_INDEXES = 50;

/** A match as it is reported. */
type FileMatch = Required<Pick<ScanMatch, 'site' | 'type' | 'path' | 'line' | 'keyword' | 'excerpt'>>;

/** The result of reading a file. */
type Candidate = { path: string } & (
  | { kind: 'unchanged'; known: Known }
  | { kind: 'gone' }
  | { kind: 'large' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'small'; descriptor: number; known: Known; bytes: Buffer }
  | { kind: 'parts'; descriptor: number; known: Known }
);

/** A scan of a folder for forbidden keywords. */
export class ForbiddenScan {
  matches: FileMatch[] = [];
  total = 0;
  scanned = 0;
  unchanged = 0;
  large = 0;
  errors = 0;
  bytes = 0;
  private found = 0;
  private reportBytes = 0;
  /** Notes for the panel on why the search or report is incomplete. */
  private notes: string[] = [];
  private readonly seen = new Map<string, Known>();

  private readonly root: string;
  private readonly log: Log;
  private readonly stop: AbortSignal | undefined;
  private readonly limits: typeof REPORT_LIMITS;
  private readonly matcher: KeywordMatcher;
  private readonly index: FileIndex;

  constructor(
    private readonly request: ScanRequest,
    {
      indexFolder,
      log,
      stop,
      reportLimits = REPORT_LIMITS,
    }: { indexFolder: string; log: Log; stop?: AbortSignal; reportLimits?: typeof REPORT_LIMITS },
  ) {
    this.root = toBytePath(request.root);
    this.log = log;
    this.stop = stop;
    this.limits = reportLimits;
    this.matcher = new KeywordMatcher(request.keywords);
    const rules = JSON.stringify([[...request.keywords].sort(), [...request.rules.suffixes].sort()]);
    this.index = new FileIndex(indexFolder, this.root, createHash('sha256').update(rules).digest('hex'));
  }

  /**
   * Runs the scan. The index is saved separately by {@link keepIndex}, after the result: in the other order a crash would lose matches.
   *
   * @returns the result in the panel's format
   * @throws Stopped when the agent stops
   */
  async run(): Promise<Record<string, unknown>> {
    const started = process.hrtime.bigint();
    const loaded = await this.index.load();
    if (loaded === 'damaged') this.log.warning('The file index is damaged and will be rebuilt', { root: this.request.root });
    if (this.request.changedOnly && loaded === 'rules') this.notes.push('关键词或后缀已变更，已重新扫描全部文件');

    let complete = true;
    let batch: string[] = [];
    const walk = walkFiles(this.root, this.request.rules, (folder, error) => this.fail(folder, error));
    for await (const file of walk) {
      this.total++;
      batch.push(file);
      if (batch.length < THREADS) continue;
      complete = await this.searchAll(batch);
      batch = [];
      if (!complete) break;
      if (this.total >= FILE_LIMIT) {
        this.notes.push(`文件超过 ${FILE_LIMIT} 个，其余未扫描`);
        complete = false;
        break;
      }
    }
    if (batch.length > 0) complete = (await this.searchAll(batch)) && complete;
    // An incomplete scan keeps old entries of files it did not reach; after a complete scan, missing files are dropped.
    if (complete) this.index.entries = this.seen;
    else for (const [file, known] of this.seen) this.index.entries.set(file, known);

    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    return { site: this.request.site, summary: this.summary(seconds), matches: this.matches };
  }

  async keepIndex() {
    await this.index.save();
    await FileIndex.prune(path.dirname(this.index.file), KEPT_INDEXES);
  }

  private summary(seconds: number) {
    const { request } = this;
    if (this.found > this.matches.length) this.notes.push(`结果过大，只上报 ${this.matches.length} 条，共 ${this.found} 条`);
    if (request.dropped > 0) this.notes.push(`${request.dropped} 个违禁词过长或过多，未使用`);
    return {
      scanned_files: this.scanned,
      scanned_rows: 0,
      matches: this.found,
      finished_at: localTime(new Date()),
      scan_mode: request.mode,
      duration_sec: Math.round(seconds * 100) / 100,
      thread_count: THREADS,
      total_files: this.total,
      error_count: this.errors,
      speed_files_per_sec: Math.round((this.scanned / Math.max(seconds, 0.001)) * 100) / 100,
      unchanged_files: this.unchanged,
      skipped_large_files: this.large,
      scanned_bytes: this.bytes,
      reported_matches: this.matches.length,
      note: this.notes.join('；'),
      ...(request.trigger === '' ? {} : { auto_trigger: true, trigger_reason: request.trigger }),
    };
  }

  private fail(file: string, error: unknown) {
    this.errors++;
    if (this.errors <= 20) this.log.warning('Cannot read', { path: toShownPath(file), error: codeOf(error) || messageOf(error) });
  }

  /** Reads a batch of files in parallel, then searches them in order. @returns false once the limit is reached */
  private async searchAll(files: string[]): Promise<boolean> {
    if (this.stop?.aborted) throw new Stopped('stopped');
    const candidates = await Promise.all(files.map((file) => this.read(file)));
    try {
      for (const candidate of candidates) {
        if (!(await this.search(candidate))) return false;
      }
      return true;
    } finally {
      for (const candidate of candidates) if ('descriptor' in candidate) closeSync(candidate.descriptor);
    }
  }

  private async read(file: string): Promise<Candidate> {
    const known = this.request.changedOnly ? this.index.entries.get(file) : undefined;
    let descriptor = -1;
    try {
      if (known !== undefined) {
        const stat = await linkStat(toSystemPath(file));
        if (known[0] === stat.size && known[1] === stat.mtimeMs && known[2] === stat.ctimeMs)
          return { path: file, kind: 'unchanged', known };
      }
      descriptor = await openFile(file);
      const candidate = await this.readOpen(file, descriptor, known);
      if (!('descriptor' in candidate)) closeSync(descriptor);
      return candidate;
    } catch (error) {
      if (descriptor !== -1) closeSync(descriptor);
      // Removed or replaced by a symbolic link after the folder was read.
      if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(codeOf(error))) return { path: file, kind: 'gone' };
      return { path: file, kind: 'failed', error };
    }
  }

  private async readOpen(file: string, descriptor: number, known: Known | undefined): Promise<Candidate> {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { path: file, kind: 'gone' };
    if (stat.size > this.request.maxFileSize) return { path: file, kind: 'large' };
    if (stat.size >= HASHED_BELOW) return { path: file, kind: 'parts', descriptor, known: knownOf(stat, '') };
    const bytes = await readAll(descriptor, stat.size);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const now = knownOf(stat, hash);
    if (known !== undefined && known[0] === stat.size && known[3] === hash) return { path: file, kind: 'unchanged', known: now };
    return { path: file, kind: 'small', descriptor, known: now, bytes };
  }

  /** @returns false once the limit is reached */
  private async search(candidate: Candidate): Promise<boolean> {
    switch (candidate.kind) {
      case 'gone':
        return true;
      case 'large':
        this.large++;
        return true;
      case 'failed':
        this.fail(candidate.path, candidate.error);
        return true;
      case 'unchanged':
        this.unchanged++;
        this.seen.set(candidate.path, candidate.known);
        return true;
    }
    const left = this.request.maxMatches - this.found;
    const { descriptor, known } = candidate;
    let found;
    try {
      found =
        candidate.kind === 'small'
          ? await searchBytes(this.matcher, candidate.bytes, left)
          : await searchParts(this.matcher, () => partsOf(descriptor, known[0]), left);
    } catch (error) {
      this.fail(candidate.path, error);
      return true;
    }
    if (found.length > 0 && !(await isInPlace(descriptor, candidate.path))) {
      this.fail(candidate.path, new Error('moved while it was read'));
      return true;
    }
    this.scanned++;
    this.bytes += known[0];
    this.seen.set(candidate.path, known);
    for (const match of found) this.add(candidate.path, match);
    if (this.found < this.request.maxMatches) return true;
    this.notes.push(`已达到最多 ${this.request.maxMatches} 条，扫描提前结束`);
    return false;
  }

  private add(file: string, { line, keyword, excerpt }: LineMatch) {
    this.found++;
    const shown = toShownPath(file);
    const below = shown
      .slice(this.request.root.length)
      .split(path.sep)
      .filter((part) => part !== '');
    const site = this.request.site || (below.length > 1 ? clip(below[0], 250) : '');
    const match: FileMatch = { site, type: 'file', path: clip(shown, 1_000), line, keyword, excerpt };
    this.reportBytes += Buffer.byteLength(JSON.stringify(match)) + 1;
    // Reserves space for the rest of the report.
    if (this.matches.length < this.limits.matches && this.reportBytes < this.limits.bytes - 16_384) this.matches.push(match);
  }
}
