import { Module, type DynamicModule } from '@nestjs/common';
import * as nestTypeOrm from '@nestjs/typeorm';
import * as typeorm from 'typeorm';

import { PluginError } from '../errors.js';
import type { PluginEntity } from '../tables/plugin-data-source.js';

/**
 * Provides `typeorm` and `@nestjs/typeorm` to a plugin, and tracks the entities it declares. Both packages keep declarations for the
 * lifetime of the process; they are removed here after the plugin's start, so that it can be unloaded.
 */
export class PluginEntities {
  /** Entities passed to `TypeOrmModule.forFeature`. */
  readonly declared = new Set<PluginEntity>();
  private readonly notes = new Set<unknown>();

  /** By the names passed to `require`. */
  readonly packages: Readonly<Record<string, unknown>> = {
    typeorm,
    '@nestjs/typeorm': { ...nestTypeOrm, TypeOrmModule: this.typeOrmModule() },
  };

  /** Runs `load` synchronously, and records what TypeORM's decorators register meanwhile. */
  during<T>(load: () => T): T {
    const before = new Map(noteLists().map((list) => [list, list.length]));
    try {
      return load();
    } finally {
      // Decorators only append.
      for (const list of noteLists()) for (const note of list.slice(before.get(list))) this.notes.add(note);
    }
  }

  /** Removes what the decorators registered; prepared data sources no longer need it. */
  forget(): void {
    if (this.notes.size === 0) return;
    for (const list of noteLists()) {
      const others = list.filter((note) => !this.notes.has(note));
      if (others.length < list.length) list.splice(0, list.length, ...others);
    }
    this.notes.clear();
  }

  /** Nest's module without connections: a plugin uses the panel's connection. */
  private typeOrmModule(): object {
    const { declared } = this;
    class TypeOrmModule {
      static forFeature(entities: readonly PluginEntity[] = [], dataSource?: unknown): DynamicModule {
        if (dataSource !== undefined) throw new PluginError('DATA_SOURCE');
        for (const entity of entities) declared.add(entity);
        const providers = entities.map((entity) => ({
          provide: nestTypeOrm.getRepositoryToken(entity),
          inject: [typeorm.DataSource],
          useFactory: (source: typeorm.DataSource) => source.getRepository(entity as typeorm.EntityTarget<typeorm.ObjectLiteral>),
        }));
        return { module: TypeOrmModule, providers, exports: providers };
      }

      static forRoot(): never {
        throw new PluginError('DATA_SOURCE');
      }

      static forRootAsync(): never {
        throw new PluginError('DATA_SOURCE');
      }
    }
    Module({})(TypeOrmModule);
    return TypeOrmModule;
  }
}

/** Lists in which TypeORM stores what decorators register: tables, columns, relations, … */
function noteLists(): unknown[][] {
  return Object.values(typeorm.getMetadataArgsStorage()).filter((list): list is unknown[] => Array.isArray(list));
}
