import type { SitesPart } from '../agent-parts.js';
import type { Config } from '../config/config.js';
import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { LogFiles } from '../log-files.js';
import { PanelBodies } from '../panel/panel-bodies.js';
import type { PanelClient } from '../panel/panel-client.js';
import type { StateStore } from '../state/state-store.js';
import { failed } from './failures.js';
import { asHostTask, HostTasks, reportOf } from './host-tasks.js';
import { Hosting } from './hosting.js';
import type { HostingConfig } from '../config/hosting-config.js';

/** Delay before the next attempt to open hosting, in milliseconds. */
const RETRY_MS = 60_000;

/** Dependencies of {@link OpenSites}. */
export interface SitesParts {
  readonly config: Config;
  readonly hosting: HostingConfig;
  readonly client: PanelClient;
  readonly store: StateStore;
  readonly log: Log;
  readonly logFiles: LogFiles;
  /** Path of this program. */
  readonly program: string;
  /** PEM text of an additional certificate authority. */
  readonly ca?: string;
}

/**
 * Opens hosting when the server is ready for it. If nginx is missing or its configuration is broken, the agent continues without hosting
 * and retries.
 */
export class OpenSites implements SitesPart {
  private hosting: Hosting | null = null;
  private tasks: HostTasks | null = null;
  private triedAt = Number.NEGATIVE_INFINITY;
  private problem = '';

  constructor(private readonly parts: SitesParts) {}

  async recover(): Promise<void> {
    await this.open();
  }

  async begin(raw: Record<string, unknown>, stop: AbortSignal): Promise<boolean> {
    const task = asHostTask(raw);
    if (!task) return false;
    if (this.tasks) await this.tasks.begin(task, stop);
    else await this.parts.store.addReport(reportOf(task, failed('refused', 'PROGRAM', this.problem)));
    return true;
  }

  async tick(stop: AbortSignal): Promise<void> {
    if (!this.hosting && Date.now() - this.triedAt >= RETRY_MS) await this.open();
    this.hosting?.tick(stop);
  }

  async idle(): Promise<void> {
    await this.tasks?.idle();
    await this.hosting?.idle();
  }

  private async open(): Promise<void> {
    const { config, hosting: settings, client, store, log, logFiles, program, ca } = this.parts;
    this.triedAt = Date.now();
    try {
      const hosting = await Hosting.open({ config: settings, stateDir: config.stateDir, program, log, logFiles });
      const tasks = new HostTasks({ config, client, bodies: new PanelBodies(config, ca), hosting, store, log });
      await tasks.recover();
      [this.hosting, this.tasks] = [hosting, tasks];
    } catch (error) {
      this.problem = messageOf(error);
      log.error(`Hosting is not available yet: ${this.problem}`, { next_try_seconds: RETRY_MS / 1_000 });
    }
  }
}
