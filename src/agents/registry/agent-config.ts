import type { AgentConfig } from '../wire/index.js';

/** Capabilities of the agent that ships with the panel. */
const CAPABILITIES = ['heartbeat', 'task', 'report', 'forbidden_scan'];
/** Version of the configuration format, which is that of the first agents. */
const CONFIG_VERSION = '0.1.0';
/** Default interval between heartbeats in seconds. */
export const DEFAULT_INTERVAL_SECONDS = 10;
/** Minimum interval between heartbeats in seconds. */
export const MIN_INTERVAL_SECONDS = 5;

/** Address of the panel and heartbeat interval. */
export interface AgentAddress {
  readonly url: string;
  readonly intervalSeconds: number;
}

/** Returns the configuration of an agent as an object and as the text of its file. Without `secrets`, both secrets are empty. */
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
