import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import { Stopped } from '../scan/ends.js';
import type { PanelSettings } from '../scan/panel-settings.js';
import type { Scanner } from '../scan/scanner.js';
import type { OwnScan, ScanPlan } from '../schedule/scan-plan.js';
import type { TaskEnd } from './task-runner.js';

/** Runs the agent's own scans with the settings of the panel. */
export class OwnScans {
  private reportedProblem = '';

  constructor(
    private readonly plan: ScanPlan,
    private readonly scanner: Scanner,
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  /** @throws Stopped */
  async run({ mode, reason }: OwnScan, settings: PanelSettings, report: (end: TaskEnd) => Promise<void>) {
    const began = this.now();
    const task_id = `scan_${mode}_${Math.floor(began / 1000)}`;
    try {
      const { result, kept } = await this.scanner.run(
        {
          root: settings.root,
          keywords: settings.keywords,
          scan_mode: mode,
          scan_changed_only: settings.changedOnly,
          max_file_size: settings.maxFileSize,
          max_matches: settings.maxMatches,
          auto_trigger: true,
          trigger_reason: reason,
        },
        settings,
      );
      this.reportedProblem = '';
      await report({ task_id, status: 'success', result, error: '', kept });
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const text = messageOf(error);
      this.log.warning(`Own scan failed: ${text}`, { mode });
      // A repeated settings error is reported once, not with every scan.
      if (this.reportedProblem !== text) await report({ task_id, status: 'failed', result: {}, error: text });
      this.reportedProblem = text;
    }
    await this.plan.ended(mode, began);
  }
}
