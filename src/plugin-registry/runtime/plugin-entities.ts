import { Module, type DynamicModule } from '@nestjs/common';
import * as nestTypeOrm from '@nestjs/typeorm';
import * as typeorm from 'typeorm';

import { PluginError } from '../errors.js';
import type { PluginEntity } from '../tables/plugin-data-source.js';

/**
 * What a plugin finds under `typeorm` and `@nestjs/typeorm`, and the entities it declares by them. Both packages keep whatever
 * was declared for as long as the process lives; here it ends with the plugin's start, so that a plugin can be unloaded.
 */
export class PluginEntities {
  /** Given to `TypeOrmModule.forFeature`. */
  readonly declared = new Set<PluginEntity>();
  private readonly notes = new Set<unknown>();

  /** By the names `require` takes. */
  readonly packages: Readonly<Record<string, unknown>> = {
    typeorm,
    '@nestjs/typeorm': { ...nestTypeOrm, TypeOrmModule: this.typeOrmModule() },
  };

  /** Runs `load`, which does not wait for anything, and remembers what decorators of TypeORM wrote down meanwhile. */
  during<T>(load: () => T): T {
    const before = new Map(noteLists().map((list) => [list, list.length]));
    try {
      return load();
    } finally {
      // Decorators only ever add at the end.
      for (const list of noteLists()) for (const note of list.slice(before.get(list))) this.notes.add(note);
    }
  }

  /** Forgets what the decorators wrote down; data sources that were prepared have all they need. */
  forget(): void {
    if (this.notes.size === 0) return;
    for (const list of noteLists()) {
      const others = list.filter((note) => !this.notes.has(note));
      if (others.length < list.length) list.splice(0, list.length, ...others);
    }
    this.notes.clear();
  }

  /** Nest's module without its connections: the panel has the only one. */
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

/** The lists in which TypeORM keeps what its decorators say: tables, columns, relations, … */
function noteLists(): unknown[][] {
  return Object.values(typeorm.getMetadataArgsStorage()).filter((list): list is unknown[] => Array.isArray(list));
}
