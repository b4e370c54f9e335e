import type { HostingConfig } from './hosting-config.js';
import type { LogLevel } from '../../../src/agents/wire/actions.js';

/** What the agent works by. */
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
  /** Scans stay inside it; null: anywhere but system folders. */
  sitesRoot: string | null;
  /** Whether files may be taken out of sites, put back and deleted; only with {@link sitesRoot}. */
  quarantine: boolean;
  /** Where sites are made for the panel; null: nowhere, the agent only looks at sites. */
  hosting: HostingConfig | null;
  /** Absolute. */
  stateDir: string;
  /** Least time between two incremental scans of its own. */
  scanIntervalSeconds: number;
  /** Without dot, lower case. */
  textSuffixes: string[];
  /** PEM file of a certificate authority to trust besides the usual ones. */
  caFile: string | null;
}

/** Every mistake of a config at once, each saying what to do. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}
