import { Checks } from '../../src/monitor/checks/index.js';
import { MonitorRunner } from '../../src/monitor/index.js';
import { DueMonitors } from '../../src/monitor/runs/due-monitors.js';
import { MaintenanceWindows } from '../../src/monitor/runs/maintenance-windows.js';
import { Outcomes } from '../../src/monitor/runs/outcomes.js';

import type { TestPanel } from './panel.js';

/** Lets a runner that is not started check due monitors once, and stops it: the results are stored when this resolves. */
export async function lookOnce(runner: MonitorRunner): Promise<void> {
  runner.start();
  await runner.onModuleDestroy();
}

/** Calls {@link lookOnce} for a new runner with the services of a panel. */
export const lookOnceIn = (panel: Pick<TestPanel, 'get'>): Promise<void> =>
  lookOnce(new MonitorRunner(panel.get(DueMonitors), panel.get(MaintenanceWindows), panel.get(Checks), panel.get(Outcomes)));
