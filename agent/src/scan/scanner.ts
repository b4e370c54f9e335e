import type { Config } from '../config/config.js';
import type { Log } from '../log.js';
import type { StateStore } from '../state/state-store.js';
import { ForbiddenScan } from './forbidden-scan.js';
import type { PanelSettings } from './panel-settings.js';
import { readScanRequest } from './scan-request.js';

/** Runs scans for tasks and for the agent's own schedule. */
export class Scanner {
  constructor(
    private readonly config: Config,
    private readonly store: StateStore,
    private readonly log: Log,
    private readonly stop: AbortSignal,
  ) {}

  /**
   * Runs a scan. @returns the result, and a function that saves the file index once the result is reported @throws TaskRefused, Stopped
   * @returns the result, and what keeps the file index, once that is reported @throws TaskRefused, Stopped
   */
  async run(payload: Record<string, unknown>, settings: PanelSettings | null) {
    const request = await readScanRequest(payload, this.config, settings);
    this.log.info('Scan started', {
      root: request.root,
      mode: request.mode,
      keywords: request.keywords.length,
      trigger: request.trigger || undefined,
    });
    const scan = new ForbiddenScan(request, { indexFolder: this.store.indexFolder, log: this.log, stop: this.stop });
    const result = await scan.run();
    this.log.info('Scan finished', {
      root: request.root,
      files: scan.total,
      scanned: scan.scanned,
      matches: scan.matches.length,
      errors: scan.errors,
    });
    return { result, kept: () => scan.keepIndex() };
  }
}
