export { ExpirySweep } from './expiry-sweep.js';
export { type NodeDrift, NodeDriftCheck } from './node-drift.js';
export { UsageRefresh } from './usage-refresh.js';
export { USAGE_INTERVAL_MS, UsageSweep } from './usage-sweep.js';
