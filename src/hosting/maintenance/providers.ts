import { BinPurge } from './bin-purge.js';
import { ExpiryLifts } from './expiry-lifts.js';
import { ExpirySweep } from './expiry-sweep.js';
import { NodeDriftCheck } from './node-drift.js';
import { QuotaPauses } from './quota-pauses.js';
import { TrafficMonth } from './traffic-month.js';
import { UsageRefresh } from './usage-refresh.js';
import { UsageSweep } from './usage-sweep.js';

/** Providers of scheduled maintenance: expiry, usage, traffic and the recycle bin. */
export const MAINTENANCE_PROVIDERS = [
  TrafficMonth,
  ExpirySweep,
  ExpiryLifts,
  BinPurge,
  UsageSweep,
  UsageRefresh,
  NodeDriftCheck,
  QuotaPauses,
];
