import type { HostingConfig } from './hosting-config.js';
import type { LogLevel } from '../../../src/agents/wire/actions.js';

/** Configuration of the agent. */
export interface Config {
  /** The panel, without `/api/node.php`. */
  svcUrl: URL;
  platformSecret: string;
  nodeId: string;
  nodeSecret: string;
  nodeName: string;
  intervalSeconds: number;
  capabilities: string[];
  logLevel: LogLevel;
  /** Scans are limited to this folder; null: every folder except system folders. */
  sitesRoot: string | null;
  /** Whether files of sites may be quarantined, restored and deleted; requires {@link sitesRoot}. */
  quarantine: boolean;
  /** Hosting of sites for the panel; null: disabled, the agent only scans sites. */
  hosting: HostingConfig | null;
  /** Absolute path of the state folder. */
  stateDir: string;
  /** Minimum time between two of the agent's own incremental scans. */
  scanIntervalSeconds: number;
  /** File name suffixes to search, without dot, in lower case. */
  textSuffixes: string[];
  /** PEM file of an additional certificate authority to trust. */
  caFile: string | null;
}

/** All errors of a configuration in one exception; each text says what to do. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}
