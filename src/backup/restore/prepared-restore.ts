import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolders } from '../../common/index.js';
import type { Manifest } from '../archive/manifest.js';

import { Unpacked } from './unpacked.js';

/** A restore that is ready, until the panel starts again. */
export interface RestorePlan {
  /** Of the task that prepared it. */
  readonly task: string;
  /** Of the backup, and its name. */
  readonly id: number;
  readonly backup: string;
  /** The administrator who asked for it. */
  readonly by: string;
  /** ISO 8601. */
  readonly readyAt: string;
  /** Name of the backup that was made of what there is. */
  readonly safety: string;
  readonly manifest: Manifest;
  /** How often its carrying out was begun. */
  readonly attempts: number;
}

/** How the last one ended. */
export interface RestoreOutcome extends Pick<RestorePlan, 'backup' | 'by' | 'safety'> {
  /** ISO 8601. */
  readonly at: string;
  /** Why everything is as it was; null where the backup is in its place. */
  readonly problem: string | null;
  /** Whether the operation log has it. */
  readonly noted: boolean;
}

/**
 * A backup that lies unpacked and checked in a folder of the data folder, to be put in its place before the database is opened the next
 * time. The plan is written last: without it whatever lies there is nothing. Processes that share the data folder share this.
 */
export class PreparedRestore {
  private readonly folder: string;
  private readonly discarded: string;
  private readonly planFile: string;
  private readonly outcomeFile: string;
  /** What was unpacked. */
  readonly unpacked: Unpacked;

  constructor(dataDir: string) {
    // Backups leave out what begins so, and a data folder that has nothing else counts as empty.
    this.folder = join(dataDir, '.restoring-prepared');
    this.discarded = join(dataDir, '.restoring-discarded');
    this.planFile = join(this.folder, 'plan.json');
    this.outcomeFile = join(dataDir, '.restoring-outcome.json');
    this.unpacked = new Unpacked(join(this.folder, 'content'));
  }

  /** Whether one is ready: what pages ask for. */
  get isReady(): boolean {
    return existsSync(this.planFile);
  }

  /** Null where none is ready. */
  get plan(): RestorePlan | null {
    return read<RestorePlan>(this.planFile);
  }

  /** Null before the first one. */
  get outcome(): RestoreOutcome | null {
    return read<RestoreOutcome>(this.outcomeFile);
  }

  /** Makes room for one. What there was of another goes. */
  async begin(): Promise<void> {
    await this.discard();
    makeFolders(this.folder, 0o700);
  }

  /** All of it is there, and right: it is carried out at the next start. */
  async ready(plan: RestorePlan): Promise<void> {
    await write(this.planFile, plan);
  }

  /** @returns whether one was ready */
  async discard(): Promise<boolean> {
    const wasReady = this.plan !== null;
    await this.clear();
    // At once: a process that is killed leaves nothing that looks as if it were being prepared.
    await rename(this.folder, this.discarded).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await this.clear();
    return wasReady;
  }

  /** Removes what a process left that was killed while it discarded one. */
  async clear(): Promise<void> {
    await rm(this.discarded, { recursive: true, force: true });
  }

  async note(outcome: RestoreOutcome): Promise<void> {
    await write(this.outcomeFile, outcome);
  }

  async forgetOutcome(): Promise<void> {
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

/** Wholly, or not at all. */
async function write(path: string, content: object): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(content), { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}
