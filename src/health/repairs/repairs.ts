import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, errorMessage, translate, type TextRef } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { HostingNode, NodeDriftCheck } from '../../hosting/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn, type TaskView } from '../../jobs/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';

import { FileRepair } from './file-repair.js';
import { removeObsolete } from './obsolete-files.js';
import { RepairError } from './repair-errors.js';

/** Name of the background task. */
export const REPAIR_TASK = 'health.repair';
/** Maximum number of stored lines per run; the counts are complete. */
const KEPT_LINES = 60;
const MAX_DETAIL = 120;
/** How long the result of a check is valid, in milliseconds. */
const CHECK_VALID_MS = DAY_MS;

/** Available repairs by their numbers (`xx`), which are shared with related panels. */
export const REPAIRS = { '1': 'ids', '3': 'files' } as const;

/** Number of a repair. */
export type RepairNumber = keyof typeof REPAIRS;

/** Outcome: `would` be done; `done`; `left` for an administrator; `failed`. */
export type RepairState = 'would' | 'done' | 'left' | 'failed';

/** A finding of a run. */
export interface RepairLine {
  readonly repair: RepairNumber;
  readonly state: RepairState;
  /** Text key below `health.`. */
  readonly text: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Report of a run. */
export interface RepairReport {
  readonly repairs: readonly RepairNumber[];
  /** False for a check only. */
  readonly isRepair: boolean;
  readonly counts: Readonly<Record<RepairState, number>>;
  /** First findings, up to the limit. */
  readonly lines: readonly RepairLine[];
}

/** Payload of the task. */
interface RepairOrder {
  readonly repairs: readonly RepairNumber[];
  readonly isRepair: boolean;
  readonly by: string;
}

/** Collects the findings of a run in order. */
class Findings {
  readonly lines: RepairLine[] = [];
  readonly counts: Record<RepairState, number> = { would: 0, done: 0, left: 0, failed: 0 };

  constructor(private readonly turn: TaskTurn) {}

  add(repair: RepairNumber, state: RepairState, text: string, params: Record<string, string>): void {
    this.counts[state] += 1;
    const clipped = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, MAX_DETAIL)]));
    if (this.lines.length < KEPT_LINES) this.lines.push({ repair, state, text, params: clipped });
    this.turn.progress(
      Object.values(this.counts).reduce((all, count) => all + count, 0),
      0,
    );
  }
}

/**
 * Repairs of the installation: each first reports what it would do and then does it on request. Every item is re-evaluated when it is
 * repaired and handled atomically, so that an interrupted run can be repeated. Source: docs/panel-api.md "Health".
 */
@Injectable()
export class Repairs {
  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly drift: NodeDriftCheck,
    private readonly obsolete: FileRepair,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Queues a check, or a repair based on a check of the last day.
   *
   * @returns the id of the task
   * @throws RepairError `RUNNING`, `NOT_LOOKED`
   */
  async order({ repairs, isRepair, by }: RepairOrder): Promise<string> {
    if (await this.isRunning()) throw new RepairError('RUNNING');
    if (isRepair && !(await this.wasChecked(repairs))) throw new RepairError('NOT_LOOKED');
    return this.queue.add(REPAIR_TASK, { repairs, isRepair, by }, { key: 'repair', by });
  }

  /** Whether a run is waiting or running in any process. */
  async isRunning(): Promise<boolean> {
    const open = await Promise.all((['waiting', 'running'] as const).map((state) => this.newest(state)));
    return open.some((task) => task !== null);
  }

  /** Returns the latest finished run and its report. */
  async last(): Promise<{ readonly report: RepairReport; readonly endedAt: Date | null } | null> {
    const task = await this.newest('done');
    return task && { report: task.result as RepairReport, endedAt: task.endedAt };
  }

  /** @throws Error when it is stopped; items already repaired stay repaired */
  @BackgroundTask({ name: REPAIR_TASK, attempts: 2, timeoutMinutes: 120 })
  async run(payload: unknown, turn: TaskTurn): Promise<RepairReport> {
    const { repairs, isRepair, by } = payload as RepairOrder;
    const findings = new Findings(turn);
    if (repairs.includes('1')) await this.ids(findings, isRepair, turn.signal);
    if (repairs.includes('3')) await this.files(findings, isRepair, turn.signal);
    if (isRepair) await this.note(by, repairs, findings);
    return { repairs, isRepair, counts: findings.counts, lines: findings.lines };
  }

  /** Repairs site ids that differ from those on the servers; other differences are only reported. */
  private async ids(findings: Findings, isRepair: boolean, signal: AbortSignal): Promise<void> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { id: 'ASC' } });
    for (const node of nodes) {
      signal.throwIfAborted();
      const drift = await this.drift.compare(node).catch((error: unknown) => {
        findings.add('1', 'failed', 'repair_server_failed', { server: node.code, error: errorMessage(error) });
      });
      if (!drift) continue;
      for (const moved of drift.moved) {
        signal.throwIfAborted();
        const { siteName, from, to } = moved;
        const state = !isRepair ? 'would' : (await this.drift.adopt(moved)) ? 'done' : 'left';
        findings.add('1', state, state === 'left' ? 'repair_id_busy' : 'repair_id', {
          server: node.code,
          site: siteName,
          from: from || '-',
          to,
        });
      }
      for (const { siteName: site } of drift.missing) findings.add('1', 'left', 'repair_missing', { server: node.code, site });
      for (const { siteName: site } of drift.differing) findings.add('1', 'left', 'repair_differing', { server: node.code, site });
    }
  }

  /** Removes incomplete files of killed processes and unlisted site archives. */
  private async files(findings: Findings, isRepair: boolean, signal: AbortSignal): Promise<void> {
    for await (const file of this.obsolete.find()) {
      signal.throwIfAborted();
      const params = { path: file.path, size: (file.size / 1_048_576).toFixed(1) };
      const text = file.kind === 'archive' ? 'repair_archive' : 'repair_file';
      if (!isRepair) findings.add('3', 'would', text, params);
      else
        await removeObsolete(file).then(
          (isGone) => isGone && findings.add('3', 'done', text, params),
          (error: unknown) => findings.add('3', 'failed', 'repair_file_failed', { path: file.path, error: errorMessage(error) }),
        );
    }
  }

  private async note(by: string, repairs: readonly RepairNumber[], { counts: { done, failed } }: Findings): Promise<void> {
    const text: TextRef = { key: 'health.repair_audit', params: { names: repairs.join(', '), done, failed } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor: by, category: 'xtxf', summary, text, outcome: 'ok' });
  }

  private async wasChecked(repairs: readonly RepairNumber[]): Promise<boolean> {
    const { tasks } = await this.queue.list({ name: REPAIR_TASK, state: 'done' }, { page: 1, limit: 50 });
    const since = this.clock.now().getTime() - CHECK_VALID_MS;
    const looked = tasks.filter(({ endedAt, result }) => (endedAt?.getTime() ?? 0) > since && !(result as RepairReport).isRepair);
    return repairs.every((one) => looked.some(({ result }) => (result as RepairReport).repairs.includes(one)));
  }

  private async newest(state: TaskView['state']): Promise<TaskView | null> {
    const { tasks } = await this.queue.list({ name: REPAIR_TASK, state }, { page: 1, limit: 1 });
    return tasks[0] ?? null;
  }
}
