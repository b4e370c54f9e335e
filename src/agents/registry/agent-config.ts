import type { AgentConfig } from '../wire/index.js';

/** What the program that comes with the panel can do. */
const CAPABILITIES = ['heartbeat', 'task', 'report', 'forbidden_scan'];
/** Version of the configuration's form, which is the version of the first agents. */
const CONFIG_VERSION = '0.1.0';
/** Seconds between two heartbeats of an agent nobody has told otherwise. */
export const DEFAULT_INTERVAL_SECONDS = 10;
/** Fewest seconds between two heartbeats. */
export const MIN_INTERVAL_SECONDS = 5;

/** Where the agent finds the panel, and how often it comes. */
export interface AgentAddress {
  readonly url: string;
  readonly intervalSeconds: number;
}

/** The configuration of an agent, and the same as the text of its file. Without secrets both are empty in it. */
export function agentConfig(
  node: { readonly nodeId: string; readonly name: string },
  secrets: { readonly secret: string; readonly platformSecret: string } | null,
  address: AgentAddress,
): { config: AgentConfig; config_json: string } {
  const config: AgentConfig = {
    svc_url: address.url,
    mnbt_url: address.url,
    platform_secret: secrets?.platformSecret ?? '',
    node_id: node.nodeId,
    node_secret: secrets?.secret ?? '',
    node_name: node.name,
    version: CONFIG_VERSION,
    interval_seconds: address.intervalSeconds,
    capabilities: [...CAPABILITIES],
  };
  return { config, config_json: JSON.stringify(config, null, 2) };
}
