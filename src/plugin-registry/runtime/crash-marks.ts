import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor, type StrikeKind } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { PluginError } from '../errors.js';

const log = loggerFor('plugins');

/** Age after which another machine's mark is considered left by a crash, in milliseconds: no synchronous start takes so long. */
const OTHER_MACHINE_MS = 2 * 60_000;

/** Mark of a crashed process, naming the plugin that was running. */
export interface LeftMark {
  readonly slug: string;
  readonly kind: StrikeKind;
  readonly place: string;
  readonly error: PluginError;
}

/** Suffix of a stall's mark file. */
const STALL = '~stall';

/**
 * Files that name the plugin a crash would be attributed to. One exists while a plugin's code is loaded, constructed or registered without
 * yielding; the watchdog writes another while a plugin blocks the process for over five seconds. If the process ends there (a crash of Node
 * itself, an endless loop that is killed), the file remains and the next start identifies the plugin. At other times no file exists, so a
 * kill from outside blames no plugin.
 */
@Injectable()
export class CrashMarks {
  /** The watchdog's mark file: the slug, and the place on the second line. */
  readonly stallFile: string;
  private readonly folder: string;
  private readonly file: string;
  private marked: string | null = null;

  constructor(config: AppConfig) {
    this.folder = join(config.dataDir, 'crash-marks');
    // Files per process, since several may share the folder.
    this.file = join(this.folder, `${hostname().replace(/[^\w.-]/g, '_')}~${process.pid}`);
    this.stallFile = this.file + STALL;
  }

  /**
   * Marks the start of the synchronous part of `slug`'s activation; it ends with the current event loop tick, or when the activation ends.
   */
  set(slug: string): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      // Not synced to disk: the file survives the process anyway, and a crash of the machine blames no plugin.
      writeFileSync(this.file, slug);
      this.marked = slug;
    } catch (error) {
      log.warn({ err: error }, 'the crash mark of a starting plugin could not be written');
    }
    setImmediate(() => this.clear(slug));
  }

  /** Returns the plugins that processes crashed in, one per process, and deletes the marks. */
  takeLeft(): LeftMark[] {
    const byProcess = new Map<string, LeftMark>();
    // A start that stalls has both marks; that of the stall sorts later and is more precise.
    for (const name of this.files().sort()) {
      const path = join(this.folder, name);
      try {
        if (!this.isLeft(name, path)) continue;
        const [slug = '', place = ''] = readFileSync(path, 'utf8').split('\n');
        rmSync(path);
        if (slug !== '') byProcess.set(name.replace(STALL, ''), name.endsWith(STALL) ? stallMark(slug, place) : startMark(slug));
      } catch {
        // Another process took it.
      }
    }
    return [...byProcess.values()];
  }

  /** Removes the mark, once `slug`'s code has yielded or finished. */
  clear(slug: string): void {
    if (this.marked !== slug) return;
    this.marked = null;
    rmSync(this.file, { force: true });
  }

  private files(): string[] {
    try {
      return readdirSync(this.folder);
    } catch {
      return [];
    }
  }

  private isLeft(name: string, path: string): boolean {
    const [host, pid] = name.split('~');
    if (join(this.folder, `${host}~${process.pid}`) !== this.file) return Date.now() - statSync(path).mtimeMs > OTHER_MACHINE_MS;
    if (Number(pid) === process.pid) return path !== this.file || this.marked === null;
    return !isAlive(Number(pid));
  }
}

function startMark(slug: string): LeftMark {
  return { slug, kind: 'crash', place: 'start', error: new PluginError('ENDED_WHILE_STARTING') };
}

function stallMark(slug: string, place: string): LeftMark {
  return { slug, kind: 'stall', place, error: new PluginError('ENDED_WHILE_STALLED') };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
