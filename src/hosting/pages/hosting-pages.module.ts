import { Module } from '@nestjs/common';

import { BulkModule } from '../bulk/index.js';
import { DomainPages } from '../domains/index.js';
import { FileDownloadController, FilePages } from '../files/index.js';
import { SiteSettingPages } from '../site-settings/index.js';

import { BinPages } from './bin.pages.js';
import { ApiSettingsPages } from './api-settings.pages.js';
import { UserDashboardPages } from './dashboard.pages.js';
import { HostBulkPages } from './host-bulk.pages.js';
import { HostPages } from './host.pages.js';
import { IdleHostPages } from './idle-host.pages.js';
import { ServerPages } from './server.pages.js';
import { ShopPages } from './shop.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({
  imports: [BulkModule],
  controllers: [
    ApiSettingsPages,
    BinPages,
    DomainPages,
    FileDownloadController,
    FilePages,
    HostBulkPages,
    HostPages,
    IdleHostPages,
    ServerPages,
    ShopPages,
    SiteSettingPages,
    UserDashboardPages,
  ],
})
export class HostingPagesModule {}
