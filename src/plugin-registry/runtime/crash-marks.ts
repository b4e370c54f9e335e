import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor, type StrikeKind } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { PluginError } from '../errors.js';

const log = loggerFor('plugins');

/** A mark of another machine that is older has no process any more: nothing synchronous takes so long. */
const OTHER_MACHINE_MS = 2 * 60_000;

/** What a process has left behind: the plugin it died in. */
export interface LeftMark {
  readonly slug: string;
  readonly kind: StrikeKind;
  readonly place: string;
  readonly error: PluginError;
}

/** Ends the name of the mark of a stall. */
const STALL = '~stall';

/**
 * Files that name the plugin a process would die in. One is there while a plugin's code is being loaded, constructed or registered,
 * as long as that goes on without a pause; the watchdog writes another one while a plugin keeps the process for over five seconds.
 * Whatever ends the process in there (a crash of Node itself, a loop that somebody kills) leaves it behind, and the next start
 * knows the culprit. At any other moment there is no file: a kill from outside then blames nobody.
 */
@Injectable()
export class CrashMarks {
  /** The file of the watchdog's mark: the slug, and in a second line the place. */
  readonly stallFile: string;
  private readonly folder: string;
  private readonly file: string;
  private marked: string | null = null;

  constructor(config: AppConfig) {
    this.folder = join(config.dataDir, 'crash-marks');
    // Files for each process: several may share the folder.
    this.file = join(this.folder, `${hostname().replace(/[^\w.-]/g, '_')}~${process.pid}`);
    this.stallFile = this.file + STALL;
  }

  /** The synchronous part of `slug`'s start begins; it is over with the present turn of the event loop, or once its start has ended. */
  set(slug: string): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      // Not synchronised with the disk: what a process wrote outlives it, and a machine that dies blames nobody.
      writeFileSync(this.file, slug);
      this.marked = slug;
    } catch (error) {
      log.warn({ err: error }, 'the mark of a starting plugin could not be written');
    }
    setImmediate(() => this.clear(slug));
  }

  /** What processes died in, once for each process: the marks are gone afterwards. */
  takeLeft(): LeftMark[] {
    const byProcess = new Map<string, LeftMark>();
    // A start that stalls has both marks: that of the stall comes later in the order, and says more.
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

  /** `slug`'s code does not run any more, or has made a pause. */
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
