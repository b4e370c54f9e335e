import { asRecord } from '../record.js';
import type { Log } from '../log.js';
import type { Report, StateStore } from '../state/state-store.js';
import type { PanelClient } from './panel-client.js';
import { PanelError } from './panel-error.js';
import { REFUSAL_HINTS, refusalText } from './refusals.js';

/** How often a report may be refused before it is dropped. */
const REPORT_REFUSALS = 5;

/** Delivers the pending reports in the state folder to the panel. */
export class ReportDelivery {
  private delivering: Promise<void> | null = null;
  private readonly refusals = new Map<string, number>();

  constructor(
    private readonly client: PanelClient,
    private readonly store: StateStore,
    private readonly log: Log,
    private readonly stop: AbortSignal,
  ) {}

  /** Sends all pending reports, oldest first. @throws PanelError of the first failure, after all were tried */
  deliver() {
    this.delivering ??= this.deliverAll().finally(() => {
      this.delivering = null;
    });
    return this.delivering;
  }

  private async deliverAll() {
    let problem: unknown;
    for (const name of await this.store.reportNames()) {
      const report = await this.store.report(name);
      if (report === null) {
        this.log.error('A damaged report was deleted', { file: name });
        await this.store.removeReport(name);
        continue;
      }
      try {
        await this.deliverOne(name, report);
      } catch (error) {
        // A report the panel rejects must not block the others; a failed connection stops the delivery.
        if (!(error instanceof PanelError) || (error.kind !== 'status' && error.kind !== 'format')) throw error;
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
  }

  private async deliverOne(name: string, report: Report) {
    let answer;
    try {
      answer = await this.client.call('report_result', report, this.stop);
    } catch (error) {
      if (error instanceof PanelError && error.status === 413 && (await this.shorten(name, report))) return;
      throw error;
    }
    if (answer.success) {
      await this.store.removeReport(name);
      this.log.info('Reported', { task: report.task_id, status: report.status });
      return;
    }
    if (REFUSAL_HINTS.has(answer.message)) throw new PanelError('network', refusalText(answer.message, this.client.clockSkewSeconds));
    const refusals = (this.refusals.get(name) ?? 0) + 1;
    this.refusals.set(name, refusals);
    if (answer.message === '任务不存在' || answer.message === '缺少任务ID' || refusals >= REPORT_REFUSALS) {
      this.log.error(`The panel rejected a report, which is now deleted: ${answer.message}`, { task: report.task_id });
      await this.store.removeReport(name);
      this.refusals.delete(name);
      return;
    }
    throw new PanelError('status', refusalText(answer.message, this.client.clockSkewSeconds));
  }

  /** Halves the matches for a panel or proxy with a lower size limit. */
  private async shorten(name: string, report: Report): Promise<boolean> {
    const matches = report.result.matches;
    if (!Array.isArray(matches) || matches.length === 0) return false;
    const kept = matches.slice(0, matches.length >> 1);
    const summary = asRecord(report.result.summary) ?? {};
    const shorter = {
      ...report,
      result: {
        ...report.result,
        matches: kept,
        summary: { ...summary, reported_matches: kept.length, note: `结果过大，只上报 ${kept.length} 条` },
      },
    };
    this.log.warning('The report is too large for the panel and is shortened', { task: report.task_id, matches: kept.length });
    await this.store.replaceReport(name, shorter);
    await this.deliverOne(name, shorter);
    return true;
  }
}
