import { Module } from '@nestjs/common';

import { MonitorSettingsOperations } from './monitor-settings.operations.js';
import { AdminMonitorOperations } from './admin-monitor.operations.js';
import { Maintenance, MonitorRepository, MonitorList, MonitorLog, MonitorTargets } from './records/index.js';
import { CHECK_PROVIDERS } from './checks/index.js';
import { IMPORT_CONTROLLERS, IMPORT_PROVIDERS } from './import/index.js';
import { JobOperations } from './job.operations.js';
import { JobPages } from './job.pages.js';
import { MaintenanceOperations } from './maintenance.operations.js';
import { MonitorViews } from './monitor-views.js';
import { MonitorFormPages } from './monitor-form.pages.js';
import { MonitorPages } from './monitor.pages.js';
import { PushController } from './push.controller.js';
import { WeeklyReport } from './report/weekly-report.js';
import { DueMonitors } from './runs/due-monitors.js';
import { MaintenanceWindows } from './runs/maintenance-windows.js';
import { NeutralTarget } from './runs/neutral-target.js';
import { MonitorRunner } from './runs/monitor-runner.js';
import { Outcomes } from './runs/outcomes.js';
import { OwnNetwork } from './runs/own-network.js';
import { MonitorOwners } from './runs/owners.js';
import { MonitorStats, RollUps } from './stats/index.js';
import { STATUS_CONTROLLERS, STATUS_PROVIDERS } from './status/index.js';
import { TaskOperations } from './task.operations.js';
import { TaskPages } from './task.pages.js';
import { UserMonitorOperations } from './user-monitor.operations.js';

/** Runs monitors, and shows scheduled jobs and background tasks. */
@Module({
  providers: [
    ...CHECK_PROVIDERS,
    DueMonitors,
    MaintenanceWindows,
    NeutralTarget,
    OwnNetwork,
    Outcomes,
    MonitorRunner,
    MonitorOwners,
    RollUps,
    MonitorStats,
    MonitorRepository,
    MonitorTargets,
    MonitorList,
    MonitorLog,
    Maintenance,
    MonitorViews,
    UserMonitorOperations,
    AdminMonitorOperations,
    MonitorSettingsOperations,
    MaintenanceOperations,
    ...IMPORT_PROVIDERS,
    JobOperations,
    TaskOperations,
    ...STATUS_PROVIDERS,
    WeeklyReport,
  ],
  controllers: [PushController, MonitorPages, MonitorFormPages, ...IMPORT_CONTROLLERS, JobPages, TaskPages, ...STATUS_CONTROLLERS],
  exports: [MonitorRunner],
})
export class MonitorModule {}
