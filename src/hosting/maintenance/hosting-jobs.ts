import type { ScheduledJob } from '../../jobs/index.js';

import type { ExpirySweep } from './expiry-sweep.js';
import type { NodeDriftCheck } from './node-drift.js';
import type { UsageSweep } from './usage-sweep.js';

/** What the tick does for hosting accounts. */
export function hostingJobs(expiry: ExpirySweep, usage: UsageSweep, drift: NodeDriftCheck): ScheduledJob[] {
  return [
    // Midnight is a multiple of five minutes in every zone.
    { owner: 'core', name: 'account-expiry', everyMinutes: 5, run: async () => void (await expiry.run()) },
    { owner: 'core', name: 'account-usage', everyMinutes: 5, run: async () => void (await usage.run()) },
    { owner: 'core', name: 'node-drift', dailyAt: '03:20', run: () => drift.run() },
  ];
}
