import type { Config } from './config/config.js';
import type { Log } from './log.js';
import type { PanelClient } from './panel/panel-client.js';
import type { StateStore } from './state/state-store.js';

/** Hosting of sites on this server; absent when `hosting` is not configured. */
export interface SitesPart {
  /** Reports what a crash interrupted. */
  recover(): Promise<void>;
  /** Starts a task if it concerns sites. @returns false if it does not */
  begin(task: Record<string, unknown>, stop: AbortSignal): Promise<boolean>;
  /** Runs the periodic maintenance. Long jobs are started but not awaited. */
  tick(stop: AbortSignal): Promise<void>;
  /** Waits for running tasks to finish. */
  idle(): Promise<void>;
}

/** Dependencies of an {@link Agent}. */
export interface AgentParts {
  readonly config: Config;
  readonly client: PanelClient;
  readonly store: StateStore;
  readonly log: Log;
  /** Stops the agent when aborted. */
  readonly stop: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly leaseEveryMs?: number;
  readonly tickEveryMs?: number;
  readonly sites?: SitesPart;
}
