import type { Config } from './config/config.js';
import type { Log } from './log.js';
import type { PanelClient } from './panel/panel-client.js';
import type { StateStore } from './state/state-store.js';

/** Sites this server makes for the panel, where its config has them. */
export interface SitesPart {
  /** Reports what a crash interrupted. */
  recover(): Promise<void>;
  /** Begins a task that is about them. @returns false for one that is not */
  begin(task: Record<string, unknown>, stop: AbortSignal): Promise<boolean>;
  /** What goes on by itself: begun here, and not waited for where it takes long. */
  tick(stop: AbortSignal): Promise<void>;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}

/** What an {@link Agent} is made of. */
export interface AgentParts {
  readonly config: Config;
  readonly client: PanelClient;
  readonly store: StateStore;
  readonly log: Log;
  /** Ends it. */
  readonly stop: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly leaseEveryMs?: number;
  readonly tickEveryMs?: number;
  readonly sites?: SitesPart;
}
