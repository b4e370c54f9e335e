import { Module } from '@nestjs/common';

import { AccessModule } from '../access/index.js';
import { BackupModule } from '../backup/index.js';
import { SiteBackupsModule } from '../hosting/index.js';

import { RunningChecks } from './checks/running-checks.js';
import { HealthOperations } from './health.operations.js';
import { HealthPages } from './health.pages.js';
import { MachineFacts } from './machine-facts.js';
import { FileRepair, RepairOperations, RepairPages, Repairs } from './repairs/index.js';

/** Health checks and repairs for administrators. */
@Module({
  imports: [AccessModule, BackupModule, SiteBackupsModule],
  providers: [HealthOperations, RunningChecks, MachineFacts, FileRepair, Repairs, RepairOperations],
  controllers: [HealthPages, RepairPages],
})
export class HealthPagesModule {}
