import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Database } from './database.js';
import { Generations } from './generations.js';

/** Gives every module the {@link Database} that was connected and migrated before the application was made. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: Database, useValue: database }, Generations],
      exports: [Database, Generations],
    };
  }
}
