import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

const log = loggerFor('plugins');

/** A mark of another machine that is older has no process any more: nothing synchronous takes so long. */
const OTHER_MACHINE_MS = 2 * 60_000;

/**
 * A file that names the plugin whose code is being loaded, constructed or registered right now, as long as that goes on without
 * a pause. Whatever ends the process in there (a crash of Node itself, a loop that somebody kills) leaves it behind, and the
 * next start knows the culprit. While nothing of a plugin starts there is no file: a kill from outside then blames nobody.
 */
@Injectable()
export class BootMarker {
  private readonly folder: string;
  private readonly file: string;
  private marked: string | null = null;

  constructor(config: AppConfig) {
    this.folder = join(config.dataDir, 'plugin-starts');
    // One file for each process: several may share the folder.
    this.file = join(this.folder, `${hostname().replace(/[^\w.-]/g, '_')}~${process.pid}`);
  }

  /** The synchronous part of `slug`'s start begins; it is over with the present turn of the event loop, or once its start has ended. */
  set(slug: string): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      const file = openSync(this.file, 'w');
      writeSync(file, slug);
      fsyncSync(file);
      closeSync(file);
      this.marked = slug;
    } catch (error) {
      log.warn({ err: error }, 'the mark of a starting plugin could not be written');
    }
    setImmediate(() => this.clear(slug));
  }

  /** The plugins processes died in, each mark once: the marks are gone afterwards. */
  takeLeft(): string[] {
    return this.files().flatMap((name) => {
      const path = join(this.folder, name);
      try {
        if (!this.isLeft(name, path)) return [];
        const slug = readFileSync(path, 'utf8');
        rmSync(path);
        return slug === '' ? [] : [slug];
      } catch {
        // Another process took it.
        return [];
      }
    });
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
    if (Number(pid) === process.pid) return this.marked === null;
    return !isAlive(Number(pid));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
