import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Clock, Faults } from '../common/index.js';

import { AppConfig } from './app-config.js';

/** Gives every module the configuration and the clock. */
@Global()
@Module({})
export class ConfigModule {
  /** With a configuration that was read already: tests and the demo make their own. */
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: AppConfig, useValue: config }, Clock, Faults],
      exports: [AppConfig, Clock, Faults],
    };
  }
}
