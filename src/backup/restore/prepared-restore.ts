import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolders } from '../../common/index.js';
import type { Manifest } from '../archive/manifest.js';

import { Unpacked } from './unpacked.js';

/** A prepared restore, to be carried out at the next start. */
export interface RestorePlan {
  /** Id of the task that prepared it. */
  readonly task: string;
  /** Id and name of the backup. */
  readonly id: number;
  readonly backup: string;
  /** The administrator who requested it. */
  readonly by: string;
  /** ISO 8601. */
  readonly readyAt: string;
  /** Name of the backup made of the current state. */
  readonly safety: string;
  readonly manifest: Manifest;
  /** Number of attempts to carry it out. */
  readonly attempts: number;
}

/** Outcome of the last restore. */
export interface RestoreOutcome extends Pick<RestorePlan, 'backup' | 'by' | 'safety'> {
  /** ISO 8601. */
  readonly at: string;
  /** Why the previous state was recovered; null if the restore succeeded. */
  readonly problem: string | null;
  /** Whether it is recorded in the operation log. */
  readonly noted: boolean;
}

/**
 * A backup unpacked and verified in a folder of the data folder, to be restored before the database is next opened. The plan file is
 * written last: without it the content does not count. Shared by all processes on the data folder.
 */
export class PreparedRestore {
  private readonly folder: string;
  private readonly discarded: string;
  private readonly planFile: string;
  private readonly outcomeFile: string;
  /** The unpacked content. */
  readonly unpacked: Unpacked;

  constructor(dataDir: string) {
    // This prefix is excluded from backups and ignored when checking for an empty data folder.
    this.folder = join(dataDir, '.restoring-prepared');
    this.discarded = join(dataDir, '.restoring-discarded');
    this.planFile = join(this.folder, 'plan.json');
    this.outcomeFile = join(dataDir, '.restoring-outcome.json');
    this.unpacked = new Unpacked(join(this.folder, 'content'));
  }

  /** Whether a restore is prepared. */
  get isReady(): boolean {
    return existsSync(this.planFile);
  }

  /** The plan; null if none is prepared. */
  get plan(): RestorePlan | null {
    return read<RestorePlan>(this.planFile);
  }

  /** The last outcome; null before the first restore. */
  get outcome(): RestoreOutcome | null {
    return read<RestoreOutcome>(this.outcomeFile);
  }

  /** Starts a preparation and discards any earlier one. */
  async begin(): Promise<void> {
    await this.discard();
    makeFolders(this.folder, 0o700);
  }

  /** Marks the preparation as complete; it is carried out at the next start. */
  async ready(plan: RestorePlan): Promise<void> {
    await write(this.planFile, plan);
  }

  /** Discards the preparation. @returns whether one was complete */
  async discard(): Promise<boolean> {
    const wasReady = this.plan !== null;
    await this.clear();
    // Renamed first, because deleting takes time: a killed process must not leave an apparent preparation.
    await rename(this.folder, this.discarded).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await this.clear();
    return wasReady;
  }

  /** Removes leftovers of a process killed while discarding. */
  async clear(): Promise<void> {
    await rm(this.discarded, { recursive: true, force: true });
  }

  async storeOutcome(outcome: RestoreOutcome): Promise<void> {
    await write(this.outcomeFile, outcome);
  }

  async removeOutcome(): Promise<void> {
    await rm(this.outcomeFile, { force: true });
  }
}

function read<Content>(path: string): Content | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes atomically. */
async function write(path: string, content: object): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(content), { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}
