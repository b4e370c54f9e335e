import { isAction } from '../../../src/agents/wire/actions.js';
import { problemText } from '../../../src/agents/wire/task-problems.js';

import type { Config } from '../config/config.js';
import { messageOf } from '../errors.js';
import { failed } from '../host/failures.js';
import type { Log } from '../log.js';
import { Quarantine } from '../quarantine/quarantine.js';
import { Stopped, TaskRefused } from '../scan/ends.js';
import type { PanelSettings } from '../scan/panel-settings.js';
import type { Scanner } from '../scan/scanner.js';
import type { Report, Task } from '../state/state-store.js';
import { clip, localTime, oneLine } from '../text.js';

/** Report of a task; `kept` is called once the report is on disk. */
export type TaskEnd = Report & { kept?: () => Promise<void> };

/** Runs the tasks of the panel. */
export class TaskRunner {
  /** Null if disabled in the config. */
  private readonly quarantine: Quarantine | null;

  constructor(
    private readonly config: Config,
    private readonly scanner: Scanner,
    private readonly log: Log,
    private readonly now: () => number,
  ) {
    this.quarantine = config.quarantine && config.sitesRoot !== null ? new Quarantine(config.stateDir, config.sitesRoot) : null;
  }

  /** Cleans up after a crash. */
  async sweep(): Promise<void> {
    await this.quarantine?.sweep();
  }

  /** @returns the report, also of a failure @throws Stopped */
  async run(task: Task, settings: PanelSettings | null): Promise<TaskEnd> {
    const base = { task_id: task.task_id, attempt: task.attempt, error: '' };
    if (isAction(task.action)) {
      const refused = failed('refused', 'SCAN_ONLY', 'The owner of this server only allows scans ("hosting" in the config of its agent).');
      return { ...base, status: 'failed', result: { ...refused }, error: problemText('scans_only') };
    }
    try {
      switch (task.action) {
        case 'ping':
          return { ...base, status: 'success', result: { message: 'pong', time: localTime(new Date(this.now())) } };
        case 'forbidden_scan': {
          if (!this.config.capabilities.includes('forbidden_scan')) throw new TaskRefused('scans_off');
          const { result, kept } = await this.scanner.run(task.payload, settings);
          return { ...base, status: 'success', result, kept };
        }
        case 'quarantine_file':
          return { ...base, status: 'success', result: await this.files().take(task.payload) };
        case 'restore_file':
          return { ...base, status: 'success', result: await this.files().restore(task.payload) };
        case 'delete_quarantined':
          return { ...base, status: 'success', result: await this.files().delete(task.payload) };
        default:
          throw new TaskRefused('kind_unknown', { kind: clip(oneLine(task.action), 100) });
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.log.warning(`Task failed: ${messageOf(error)}`, { task: task.task_id, action: task.action });
      return {
        ...base,
        status: 'failed',
        result: {},
        error:
          error instanceof TaskRefused
            ? error.message
            : problemText(task.action === 'forbidden_scan' ? 'scan_failed' : 'task_failed', {
                reason: clip(oneLine(messageOf(error)), 300),
              }),
      };
    }
  }

  /** @throws TaskRefused if disabled in the config */
  private files(): Quarantine {
    if (this.quarantine) return this.quarantine;
    throw new TaskRefused('quarantine_off');
  }
}
