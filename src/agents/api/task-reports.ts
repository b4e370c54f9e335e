import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { NodeApiError } from '../node-api-error.js';
import { type KeptScan, QuarantineEnds, readScan, ScanIntake, ScanStore } from '../scans/index.js';
import {
  clip,
  type ExtendLeaseRequest,
  isAction,
  jsonForColumn,
  OWN_SCAN_ID,
  type ReportData,
  type ReportRequest,
  TASK_ID,
} from '../wire/index.js';

import { type TaskEnd, TaskQueue, TaskSignals, type AgentTaskState } from '../tasks/index.js';

const ERROR_LENGTH = 4_000;

/** An unvalidated report. */
type RawReport = Readonly<Partial<Record<keyof ReportRequest, unknown>>>;

/** Stores reports of agents. The end of a task is stored once; late and repeated reports change nothing. */
@Injectable()
export class TaskReports {
  constructor(
    private readonly database: Database,
    private readonly tasks: TaskQueue,
    private readonly scans: ScanStore,
    private readonly intake: ScanIntake,
    private readonly quarantine: QuarantineEnds,
    private readonly signals: TaskSignals,
  ) {}

  /** @throws NodeApiError TASK_ID_MISSING, TASK_UNKNOWN, REPORT_STATUS, TASK_NOT_PULLED */
  async take(nodeId: string, report: RawReport): Promise<ReportData> {
    const taskId = taskIdOf(report.task_id);
    const { status } = report;
    if (status !== 'success' && status !== 'failed') throw new NodeApiError('REPORT_STATUS');
    const error = clip(report.error, ERROR_LENGTH);
    const task = await this.tasks.state(nodeId, taskId);
    if (task) return this.takeOfTask(nodeId, taskId, task, report, status, error);
    if (!OWN_SCAN_ID.test(taskId)) throw new NodeApiError('TASK_UNKNOWN');
    const scan = await this.intake.of(nodeId, readScan(status, report.result, error));
    await this.scans.noteScanned(nodeId);
    // Agents scan every few minutes: a scan without matches updates only the time of the last scan.
    if (isEmpty(scan)) return { accepted: true, ...kept(scan) };
    const isNew = await this.scans.add(nodeId, taskId, scan);
    return { accepted: isNew, ...(isNew ? kept(scan) : {}) };
  }

  /** Renews a lease. @throws NodeApiError TASK_ID_MISSING, TASK_UNKNOWN, LEASE_LOST */
  async extend(nodeId: string, request: Readonly<Partial<Record<keyof ExtendLeaseRequest, unknown>>>): Promise<string> {
    const taskId = taskIdOf(request.task_id);
    const task = await this.tasks.state(nodeId, taskId);
    if (!task) throw new NodeApiError('TASK_UNKNOWN');
    const progress = progressOf(request);
    if (!(await this.tasks.extend(task.id, attemptOf(request.attempt, task), progress))) throw new NodeApiError('LEASE_LOST');
    return taskId;
  }

  private async takeOfTask(
    nodeId: string,
    taskId: string,
    task: AgentTaskState,
    report: RawReport,
    status: 'success' | 'failed',
    error: string,
  ): Promise<ReportData> {
    if (task.attempts === 0) throw new NodeApiError('TASK_NOT_PULLED');
    const attempt = attemptOf(report.attempt, task);
    if (task.action !== 'forbidden_scan') {
      const end = { status, result: jsonForColumn(report.result ?? null), error };
      if (isAction(task.action)) return { accepted: await this.endAction(task, taskId, attempt, end) };
      if (task.action === 'ping') return { accepted: await this.tasks.finish(task.id, attempt, end) };
      return this.database.transaction(async () => {
        const accepted = await this.tasks.finish(task.id, attempt, end);
        if (accepted) await this.quarantine.applyTaskEnd(taskId);
        return { accepted };
      });
    }
    const scan = await this.intake.of(nodeId, readScan(status, report.result, error));
    // Matches are stored in their own table.
    const result = jsonForColumn({ site: scan.site, summary: scan.summary });
    return this.database.transaction(async () => {
      if (!(await this.tasks.finish(task.id, attempt, { status, result, error }))) return { accepted: false };
      await this.scans.replace(nodeId, taskId, scan);
      await this.scans.noteScanned(nodeId);
      return { accepted: true, ...kept(scan) };
    });
  }

  /** Stores the report of an action; a report after the deadline is kept but changes nothing. */
  private async endAction(task: AgentTaskState, taskId: string, attempt: number, end: TaskEnd): Promise<boolean> {
    const accepted = await this.tasks.finish(task.id, attempt, end);
    if (accepted) this.signals.changed(taskId);
    else await this.tasks.noteLate(task.id, attempt, end);
    return accepted;
  }
}

/** Formats the progress for the row. */
function progressOf({ done, total }: Readonly<Partial<Record<keyof ExtendLeaseRequest, unknown>>>): string {
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount(done) && isCount(total) ? `${String(done)}/${String(total)}` : '';
}

/** Whether a scan succeeded without matches. */
function isEmpty({ status, matchCount }: KeptScan): boolean {
  return status === 'success' && matchCount === 0;
}

function kept({ matches, dropped }: { readonly matches: readonly unknown[]; readonly dropped: number }): Partial<ReportData> {
  return { stored_matches: matches.length, ...(dropped > 0 ? { dropped_matches: dropped } : {}) };
}

function taskIdOf(value: unknown): string {
  if (value === undefined || value === null || value === '') throw new NodeApiError('TASK_ID_MISSING');
  if (typeof value !== 'string' || !TASK_ID.test(value)) throw new NodeApiError('TASK_UNKNOWN');
  return value;
}

/** Returns the attempt number of a request; the current one if it is omitted. */
function attemptOf(value: unknown, task: AgentTaskState): number {
  if (value === undefined || value === null || value === '') return task.attempts;
  const attempt = Number(value);
  return Number.isSafeInteger(attempt) ? attempt : 0;
}
