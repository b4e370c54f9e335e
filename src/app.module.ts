import { join } from 'node:path';

import { type DynamicModule, Module } from '@nestjs/common';

import { AccountModule } from './account/index.js';
import { AuthModule } from './auth/index.js';
import { AppConfig, ConfigModule } from './config/index.js';
import { DatabaseModule, type Database } from './database/index.js';
import { HooksModule } from './hooks/index.js';
import { HostingModule } from './hosting/index.js';
import { JobsModule } from './jobs/index.js';
import { OperationsModule } from './operations/index.js';
import { PanelLifecycle } from './panel-lifecycle.js';
import { PaymentModule } from './payment/index.js';
import { PluginRegistryModule } from './plugin-registry/index.js';
import { SiteModule } from './site/index.js';
import { ThemeModule } from './theme/index.js';
import { WebModule } from './web/index.js';

/** The whole product, composed. */
@Module({})
export class AppModule {
  /** @param database connected and migrated */
  static forRoot(config: AppConfig, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(database),
        HooksModule,
        JobsModule,
        AuthModule,
        OperationsModule,
        ThemeModule.forRoot({ installedFolder: join(config.dataDir, 'themes'), timezone: config.timezone }),
        AccountModule,
        SiteModule,
        HostingModule,
        PaymentModule,
        PluginRegistryModule,
        // Last: its catch-all must come behind every other route.
        WebModule,
      ],
      providers: [PanelLifecycle],
    };
  }
}
