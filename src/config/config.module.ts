import { type DynamicModule, Global, Module } from '@nestjs/common';

import { CallDeadlines, Clock, Faults, PluginCalls } from '../common/index.js';

import { AppConfig } from './app-config.js';
import { BaseUrl } from './base-url.js';
import { loadSecretKey, Secrets } from './secrets/index.js';
import { ZonedClock } from './zoned-clock.js';

/**
 * Provides the configuration, the base URL, the clock (of the installation's zone, too), encrypted secrets, the plugin fault records,
 * and calls into plugins to all modules.
 */
@Global()
@Module({})
export class ConfigModule {
  /** Uses an existing configuration: tests and the demo create their own. */
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: BaseUrl, useFactory: () => new BaseUrl(config) },
        { provide: Secrets, useFactory: () => new Secrets(loadSecretKey(config.dataDir)) },
        CallDeadlines,
        Clock,
        Faults,
        PluginCalls,
        ZonedClock,
      ],
      exports: [AppConfig, BaseUrl, CallDeadlines, Clock, Faults, PluginCalls, Secrets, ZonedClock],
    };
  }
}
