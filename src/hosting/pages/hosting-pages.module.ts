import { Module } from '@nestjs/common';

import { BulkModule } from '../bulk/index.js';
import { CertificateListPages, CertificatePages, CertificatesModule } from '../certificates/index.js';
import { ExpiryModule } from '../expiry/index.js';
import { DeploymentPages, DeploymentsModule, ProgramCataloguePages, ProgramExportController } from '../deployments/index.js';
import { DriftModule } from '../drift/index.js';
import { DomainPages } from '../domains/index.js';
import { EmptyingPages, MovePages, MovesModule } from '../moves/index.js';
import { NamePages, NamesModule } from '../names/index.js';
import { FileDownloadController, FilePages } from '../files/index.js';
import { SiteBackupDownloadController, SiteBackupPages, SiteBackupsModule } from '../site-backups/index.js';
import { CommandPages, DatabaseDownloadController, DatabasePages, ProgramPages, SiteProgramsModule } from '../site-programs/index.js';
import { WebSettingPages } from '../web-settings/index.js';
import { LogDownloadController, StatisticPages } from '../statistics/index.js';

import { BinPages } from './bin.pages.js';
import { ComingPages } from './coming.pages.js';
import { ApiSettingsPages } from './api-settings.pages.js';
import { DriftPages } from './drift.pages.js';
import { UserDashboardPages } from './dashboard.pages.js';
import { HostBulkPages } from './host-bulk.pages.js';
import { HostPages } from './host.pages.js';
import { IdleHostPages } from './idle-host.pages.js';
import { ServerGroupPages } from './server-group.pages.js';
import { ServerPages } from './server.pages.js';
import { ShopPages } from './shop.pages.js';

/** Pages of hosting. Separate from its other parts, which work without HTTP requests. */
@Module({
  imports: [
    BulkModule,
    CertificatesModule,
    DeploymentsModule,
    DriftModule,
    ExpiryModule,
    MovesModule,
    NamesModule,
    SiteBackupsModule,
    SiteProgramsModule,
  ],
  controllers: [
    ApiSettingsPages,
    BinPages,
    CertificateListPages,
    CertificatePages,
    ComingPages,
    CommandPages,
    DatabaseDownloadController,
    DatabasePages,
    DeploymentPages,
    DomainPages,
    DriftPages,
    EmptyingPages,
    FileDownloadController,
    FilePages,
    HostBulkPages,
    HostPages,
    IdleHostPages,
    MovePages,
    NamePages,
    ProgramCataloguePages,
    ProgramExportController,
    ProgramPages,
    ServerGroupPages,
    ServerPages,
    ShopPages,
    SiteBackupDownloadController,
    SiteBackupPages,
    WebSettingPages,
    LogDownloadController,
    StatisticPages,
    UserDashboardPages,
  ],
})
export class HostingPagesModule {}
