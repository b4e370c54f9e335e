import { type DynamicModule, Global, Module, Optional } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Database } from './database.js';
import { Generations } from './generations.js';
import { SlowQueryThreshold } from './slow-queries.js';

/**
 * Gives every module the {@link Database} that was connected and migrated before the application was made, and TypeORM's own way to it:
 * `TypeOrmModule.forFeature` and `@InjectRepository` work on the same data source, so those repositories join transactions and wait for
 * SQLite's one writer as well.
 *
 * Nest closes the data source with the application, in `onApplicationShutdown`: whoever needs it at the end of the process ends
 * in `beforeApplicationShutdown`.
 */
@Global()
@Module({})
export class DatabaseModule {
  constructor(database: Database, @Optional() threshold?: SlowQueryThreshold) {
    if (threshold) database.slow.measureBy(threshold);
  }

  static forRoot(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => database.dataSource.options,
          dataSourceFactory: () => Promise.resolve(database.dataSource),
        }),
      ],
      providers: [{ provide: Database, useValue: database }, Generations],
      exports: [Database, Generations],
    };
  }
}
