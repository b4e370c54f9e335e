import { SchedulerRegistry } from '@nestjs/schedule';

import { startPanel as startRealPanel, type Panel } from '../../src/app/bootstrap.js';
import type { AppConfig } from '../../src/config/index.js';
import { MINUTE_TICK } from '../../src/jobs/index.js';

import { runningPanels } from './running-panels.js';

export type { Panel };

/**
 * A panel whose minute never comes by itself: a full minute that passes in the middle of a test would fire `cron` and run jobs
 * the test knows nothing of. Tests that need a tick call `CronScheduler.tick`.
 */
export async function startPanel(config: AppConfig): Promise<Panel> {
  const panel = await startRealPanel(config);
  void panel.app.get(SchedulerRegistry, { strict: false }).getCronJob(MINUTE_TICK).stop();
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
