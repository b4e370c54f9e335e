import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AccountModule } from '../account/index.js';
import { AgentsModule } from '../agents/index.js';
import { DeploymentsModule, IdleModule } from '../hosting/index.js';
import { PaymentModule } from '../payment/index.js';
import { PluginRegistryModule } from '../plugin-registry/index.js';
import { ProgramsModule } from '../programs/index.js';
import { ReceiptsModule } from '../receipts/index.js';
import { WebModule } from '../web/index.js';

import { AdminController } from './admin.controller.js';
import { AssetFiles } from './asset-files.js';
import { BusinessNumbers } from './business-numbers.js';
import { CaptchaController } from './captcha.controller.js';
import { ClockTriggers } from './clock-triggers.js';
import { MaintenanceTriggers } from './maintenance-triggers.js';
import { TriggeredJob } from './triggered-job.js';
import { ClockTriggersController } from './clock-triggers.controller.js';
import { ComponentPages } from './component.pages.js';
import { DashboardPages } from './dashboard.pages.js';
import { DashboardCards } from './dashboard-cards.js';
import { DashboardOperations } from './dashboard.operations.js';
import { DashboardNumbers } from './dashboard-numbers.js';
import { DeployedLinksController } from './deployed-links.controller.js';
import { ExternalApiEntry } from './external-api-entry.js';
import { ExternalApiController } from './external-api.controller.js';
import { NodeApiEntry } from './node-api-entry.js';
import { NodeApiController } from './node-api.controller.js';
import { OneClickPages } from './one-click-pages.js';
import { OneClickController } from './one-click.controller.js';
import { OwnAddresses } from './own-addresses.js';
import { PayPages } from './pay-pages.js';
import { PictureFiles } from './picture-files.js';
import { PluginSettings } from './plugin-settings.js';
import { ReceiptPage } from './receipt-pages.js';
import { PayController } from './pay.controller.js';
import { PluginPages } from './plugin-pages.js';
import { ProgramPayController } from './program-pay.controller.js';
import { RouteEntry } from './route-entry.js';
import { SafeModeController } from './safe-mode.controller.js';
import { SettingsPages } from './settings.pages.js';
import { SetupGuide } from './setup-guide.js';
import { SetupGuideOperations } from './setup-guide.operations.js';
import { SitePages } from './site-pages.js';
import { CatchAllController } from './catch-all.controller.js';
import { UserController } from './user.controller.js';

/** Pages and files. {@link CatchAllController} handles all remaining requests and must therefore be last. */
@Module({
  imports: [
    AccountModule,
    AgentsModule,
    DeploymentsModule,
    DiscoveryModule,
    IdleModule,
    PaymentModule,
    PluginRegistryModule,
    ProgramsModule,
    ReceiptsModule,
    WebModule,
  ],
  controllers: [
    CaptchaController,
    SafeModeController,
    ExternalApiController,
    ClockTriggersController,
    NodeApiController,
    AdminController,
    UserController,
    ComponentPages,
    DashboardPages,
    SettingsPages,
    OneClickController,
    DeployedLinksController,
    ProgramPayController,
    PayController,
    CatchAllController,
  ],
  providers: [
    ClockTriggers,
    MaintenanceTriggers,
    TriggeredJob,
    PayPages,
    ReceiptPage,
    PluginPages,
    PluginSettings,
    SitePages,
    AssetFiles,
    PictureFiles,
    OneClickPages,
    BusinessNumbers,
    DashboardCards,
    DashboardNumbers,
    DashboardOperations,
    SetupGuide,
    SetupGuideOperations,
    ExternalApiEntry,
    NodeApiEntry,
    OwnAddresses,
    RouteEntry,
  ],
  exports: [ExternalApiEntry, NodeApiEntry, RouteEntry],
})
export class PagesModule {}
