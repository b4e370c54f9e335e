import { type DynamicModule, Global, Module, Optional } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Database } from './database.js';
import { Generations } from './generations.js';
import { SlowQueryThreshold } from './slow-queries.js';

/**
 * Provides the {@link Database}, which was connected and migrated before the application was created, and integrates it with TypeORM's Nest
 * module: `TypeOrmModule.forFeature` and `@InjectRepository` use the same data source, so those repositories also join transactions and
 * wait for SQLite's single writer.
 *
 * Nest closes the data source in `onApplicationShutdown`: code that needs it during shutdown must finish in `beforeApplicationShutdown`.
 */
@Global()
@Module({})
export class DatabaseModule {
  constructor(database: Database, @Optional() threshold?: SlowQueryThreshold) {
    if (threshold) database.slow.useThreshold(threshold);
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
