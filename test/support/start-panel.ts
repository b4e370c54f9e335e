import { SchedulerRegistry } from '@nestjs/schedule';

import { startPanel as startRealPanel, type Panel } from '../../src/app/bootstrap.js';
import type { AppConfig } from '../../src/config/index.js';

import { runningPanels } from './running-panels.js';

export type { Panel };

/**
 * Starts a panel without its timers: a minute that passes during a test would fire `cron`, run jobs and check unfinished accounts
 * unexpectedly. Tests that need these call `CronScheduler.tick` or `AccountRecovery.recoverUnfinished`.
 */
export async function startPanel(config: AppConfig): Promise<Panel> {
  const panel = await startRealPanel(config);
  for (const job of panel.app.get(SchedulerRegistry, { strict: false }).getCronJobs().values()) void job.stop();
  runningPanels.add(panel);
  const { close } = panel;
  return {
    ...panel,
    close: async (patienceMs) => {
      await close(patienceMs);
      runningPanels.delete(panel);
    },
  };
}
