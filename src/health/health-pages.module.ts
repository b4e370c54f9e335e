import { Module } from '@nestjs/common';

import { BackupModule } from '../backup/index.js';

import { HealthOperations } from './health.operations.js';
import { HealthPages } from './health.pages.js';
import { RepairOperations, RepairPages, Repairs } from './repairs/index.js';

/** How the installation stands, for who looks after it. */
@Module({ imports: [BackupModule], providers: [HealthOperations, Repairs, RepairOperations], controllers: [HealthPages, RepairPages] })
export class HealthPagesModule {}
