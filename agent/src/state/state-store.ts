import * as fs from 'node:fs/promises';
import path from 'node:path';

import type { ReportRequest, PulledTask } from '../../../src/agents/wire/node-api.js';

import { ConfigError } from '../config/config.js';
import { codeOf, isDiskFull, messageOf } from '../errors.js';
import { asRecord } from '../record.js';
import { replaceFile } from '../files/replace-file.js';

/** Report of a task or of the agent's own scan. */
export type Report = Required<Omit<ReportRequest, 'attempt'>> & { result: Record<string, unknown>; attempt?: number | undefined };

/** A task and how often it was started here. */
export type Task = Pick<PulledTask, 'task_id' | 'payload'> & {
  action: string;
  attempts: number;
  /** Attempt number of the panel; undefined if not sent. */
  attempt?: number | undefined;
};

/** An action that was started. */
export type BegunAction = Pick<PulledTask, 'task_id' | 'attempt'> & { action: string };

/** Persisted state of the scan schedule. */
export interface Schedule {
  /** Minutes since 1970 up to which the cron expression was evaluated. */
  cronMinute: number;
  fullPending: boolean;
  /** Milliseconds since 1970. */
  lastScanAt: number;
  lastScanMs: number;
}

/** Maximum number of pending reports; the oldest are dropped. */
const OUTBOX_LIMIT = 200;

/** Explains why a state folder cannot be used; a disk-full error is returned as it is. */
function unusable(folder: string, error: unknown): unknown {
  if (isDiskFull(error)) return error;
  return new ConfigError([
    `Cannot write into the state folder ${folder} (${codeOf(error) || messageOf(error)}). ` +
      'Set "state_dir" to a folder the user of the agent may write to.',
  ]);
}

/** Persistent state: undelivered reports, running tasks, the scan schedule, the file indexes. */
export class StateStore {
  readonly outboxFolder: string;
  readonly indexFolder: string;
  private sequence = 0;

  constructor(readonly folder: string) {
    this.outboxFolder = path.join(folder, 'outbox');
    this.indexFolder = path.join(folder, 'index');
  }

  /** Creates the folders and checks that they are writable. @throws ConfigError */
  static async open(folder: string) {
    const store = new StateStore(folder);
    try {
      for (const part of [store.folder, store.outboxFolder, store.indexFolder]) {
        await fs.mkdir(part, { recursive: true, mode: 0o700 });
        const probe = path.join(part, `probe.${process.pid}.tmp`);
        await fs.writeFile(probe, '');
        await fs.unlink(probe);
      }
    } catch (error) {
      throw unusable(folder, error);
    }
    return store;
  }

  /** Checks whether a folder can be used as state folder, without creating it. @throws ConfigError */
  static async check(folder: string) {
    let at = folder;
    for (; ; at = path.dirname(at)) {
      try {
        await (await fs.opendir(at)).close();
        await fs.access(at, fs.constants.W_OK | fs.constants.X_OK);
        break;
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || at === path.dirname(at)) throw unusable(folder, error);
      }
    }
    if ((await fs.statfs(at)).bavail === 0)
      throw new ConfigError([`The disk of the state folder ${folder} is full. ` + 'Free some space there.']);
  }

  /** Removes incomplete files left by a crash; must be called under the lock. */
  async sweep() {
    for (const part of [this.folder, this.outboxFolder, this.indexFolder]) {
      for (const name of await fs.readdir(part)) {
        if (name.endsWith('.tmp')) await fs.rm(path.join(part, name), { force: true });
      }
    }
  }

  private async save(name: string, value: unknown) {
    await replaceFile(path.join(this.folder, name), (handle) => handle.writeFile(JSON.stringify(value)));
  }

  /** @returns null when missing or damaged */
  private async load(file: string): Promise<unknown> {
    try {
      return JSON.parse(await fs.readFile(file, 'utf8'));
    } catch {
      return null;
    }
  }

  async tasks(): Promise<Task[]> {
    const loaded = await this.load(path.join(this.folder, 'tasks.json'));
    return Array.isArray(loaded) ? loaded.filter((task) => typeof task?.task_id === 'string' && typeof task.action === 'string') : [];
  }

  saveTasks(tasks: Task[]) {
    return this.save('tasks.json', tasks);
  }

  /** Returns the started actions; those still present after a crash were interrupted. Their arguments are not stored. */
  async begunActions(): Promise<BegunAction[]> {
    const loaded = await this.load(path.join(this.folder, 'actions.json'));
    return Array.isArray(loaded) ? loaded.filter((one) => typeof one?.task_id === 'string') : [];
  }

  saveBegunActions(begun: readonly BegunAction[]) {
    return this.save('actions.json', begun);
  }

  async schedule(): Promise<Schedule> {
    const loaded = asRecord(await this.load(path.join(this.folder, 'schedule.json'))) ?? {};
    const number = (key: string) => (typeof loaded[key] === 'number' ? loaded[key] : 0);
    return {
      cronMinute: number('cronMinute'),
      fullPending: loaded.fullPending === true,
      lastScanAt: number('lastScanAt'),
      lastScanMs: number('lastScanMs'),
    };
  }

  saveSchedule(schedule: Schedule) {
    return this.save('schedule.json', schedule);
  }

  /** Stores a report until the panel has accepted it. */
  async addReport(report: Report) {
    const name = `${String(Date.now()).padStart(15, '0')}-${String(this.sequence++).padStart(6, '0')}.json`;
    await replaceFile(path.join(this.outboxFolder, name), (handle) => handle.writeFile(JSON.stringify(report)));
  }

  /** Returns the names of pending reports, oldest first, limited to the newest 200. */
  async reportNames() {
    const names = (await fs.readdir(this.outboxFolder)).filter((name) => name.endsWith('.json')).sort();
    for (const name of names.slice(0, -OUTBOX_LIMIT)) await this.removeReport(name);
    return names.slice(-OUTBOX_LIMIT);
  }

  /** Returns the ids of tasks with pending reports. */
  async reportedTasks(): Promise<string[]> {
    const reports = await Promise.all((await this.reportNames()).map((name) => this.report(name)));
    return reports.flatMap((report) => (report ? [report.task_id] : []));
  }

  /** @returns null when damaged */
  async report(name: string): Promise<Report | null> {
    const loaded = asRecord(await this.load(path.join(this.outboxFolder, name)));
    return loaded !== null && typeof loaded.task_id === 'string' ? (loaded as unknown as Report) : null;
  }

  replaceReport(name: string, report: Report) {
    return replaceFile(path.join(this.outboxFolder, name), (handle) => handle.writeFile(JSON.stringify(report)));
  }

  removeReport(name: string) {
    return fs.rm(path.join(this.outboxFolder, name), { force: true });
  }
}
