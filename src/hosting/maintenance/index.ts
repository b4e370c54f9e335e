export { AccountSweep } from './account-sweep.js';
export { BinPurge } from './bin-purge.js';
export { ExpirySweep } from './expiry-sweep.js';
export { type KnownSite, type MovedSite, type NodeDrift, NodeDriftCheck } from './node-drift.js';
export { QuotaPauses } from './quota-pauses.js';
export { RemindersModule } from './reminders.js';
export { TrafficMonth } from './traffic-month.js';
export { UsageRefresh } from './usage-refresh.js';
export { USAGE_INTERVAL_MS, UsageSweep } from './usage-sweep.js';
