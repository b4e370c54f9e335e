import * as fs from 'node:fs';
import path from 'node:path';

import { LOG_LEVELS, type LogLevel } from '../../src/agents/wire/actions.js';
import { codeOf } from './errors.js';

/** Size in bytes after which the log is rotated. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** File names, newest first. */
const NAMES = ['agent.log', 'agent.1.log', 'agent.2.log'] as const;
const LEVEL_OF_LINE = /^\S+ (DEBUG|INFO|WARNING|ERROR) /;

/** A log file. */
export interface LogFileLine {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Number of lines per level. */
  readonly lines: Readonly<Record<LogLevel, number>>;
}

/** Selects lines of a file. */
export interface LogQuery {
  /** Byte offset within the matching lines; null returns the last ones that fit into `limit`. */
  readonly offset: number | null;
  /** Maximum length in bytes. */
  readonly limit: number;
  /** Case-insensitive; empty matches every line. */
  readonly keyword: string;
  /** Minimum level; null matches every line. */
  readonly level: LogLevel | null;
}

/**
 * Keeps the end of the agent's log for the panel, in up to three files of 2 MiB. Standard output is the main log: if a line cannot be
 * stored, for example on a full disk, the agent continues without it.
 */
export class LogFiles {
  private file: number | null = null;
  private bytes = 0;

  /** @param folder contains only these files; created with the first line */
  constructor(private readonly folder: string) {}

  /** Appends a line that ends in `\n`. */
  append(line: string): void {
    try {
      const content = Buffer.from(line);
      if (this.bytes + content.length > MAX_FILE_BYTES) this.turnOver();
      this.file ??= this.open();
      fs.writeSync(this.file, content);
      this.bytes += content.length;
    } catch {
      this.close();
    }
  }

  /** Closes the file; the next line reopens it. */
  close(): void {
    if (this.file !== null) fs.closeSync(this.file);
    this.file = null;
  }

  /** Lists the files, newest first. */
  async list(): Promise<LogFileLine[]> {
    const found: LogFileLine[] = [];
    for (const name of NAMES) {
      const content = await this.content(name);
      const stat = await fs.promises.stat(path.join(this.folder, name)).catch(() => null);
      if (content === null || !stat) continue;
      const lines = { DEBUG: 0, INFO: 0, WARNING: 0, ERROR: 0 };
      for (const line of content.split('\n')) {
        const level = levelOf(line);
        if (level) lines[level] += 1;
      }
      found.push({ name, bytes: stat.size, changedAt: Math.floor(stat.mtimeMs), lines });
    }
    return found;
  }

  /** @returns null if the file does not exist */
  async read(name: string, { offset, limit, keyword, level }: LogQuery): Promise<{ text: Buffer; offset: number; size: number } | null> {
    const content = await this.content(name);
    if (content === null) return null;
    const wanted = keyword.toLowerCase();
    const least = level === null ? -1 : LOG_LEVELS.indexOf(level);
    const lines = content
      .split('\n')
      .filter((line) => line !== '' && (least < 0 || weightOf(line) >= least) && line.toLowerCase().includes(wanted));
    const all = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const start = lineStart(all, offset ?? Math.max(0, all.length - limit));
    const part = all.subarray(start, start + limit);
    // Cuts after the last complete line, unless a single line is longer than the limit.
    return { text: part.subarray(0, part.lastIndexOf(10) + 1 || part.length), offset: start, size: all.length };
  }

  /** @returns false if the file does not exist */
  async clear(name: string): Promise<boolean> {
    if ((await this.content(name)) === null) return false;
    await fs.promises.truncate(path.join(this.folder, name));
    if (name === NAMES[0]) this.bytes = 0;
    return true;
  }

  private open(): number {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = fs.openSync(path.join(this.folder, NAMES[0]), 'a', 0o600);
    this.bytes = fs.fstatSync(file).size;
    return file;
  }

  private turnOver(): void {
    this.close();
    for (let at = NAMES.length - 1; at > 0; at -= 1) {
      const from = path.join(this.folder, NAMES[at - 1]!);
      if (fs.existsSync(from)) fs.renameSync(from, path.join(this.folder, NAMES[at]!));
    }
    this.bytes = 0;
  }

  private async content(name: string): Promise<string | null> {
    if (!(NAMES as readonly string[]).includes(name)) return null;
    return fs.promises.readFile(path.join(this.folder, name), 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
  }
}

function levelOf(line: string): LogLevel | undefined {
  return LEVEL_OF_LINE.exec(line)?.[1] as LogLevel | undefined;
}

function weightOf(line: string): number {
  return LOG_LEVELS.indexOf(levelOf(line) ?? 'DEBUG');
}

/** Returns the offset of the first line that starts at or after an offset. */
function lineStart(text: Buffer, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  return text[at - 1] === 10 ? at : text.indexOf(10, at) + 1;
}
