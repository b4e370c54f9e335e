import { type DynamicModule, Global, Module } from '@nestjs/common';

import { CallDeadlines, Clock, Faults, PluginCalls } from '../common/index.js';

import { AppConfig } from './app-config.js';
import { BaseUrl } from './base-url.js';
import { loadSecretKey, Secrets } from './secrets/index.js';

/**
 * Gives every module the configuration, the address of this panel, the clock, encrypted secrets, the record of plugins' faults,
 * and the way into plugins' code.
 */
@Global()
@Module({})
export class ConfigModule {
  /** With a configuration that was read already: tests and the demo make their own. */
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
      ],
      exports: [AppConfig, BaseUrl, CallDeadlines, Clock, Faults, PluginCalls, Secrets],
    };
  }
}
