import { realpathSync } from 'node:fs';

import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { Faults, PluginCalls, noteCodeFolder, runInFrame } from '../common/index.js';

import { PluginError } from './errors.js';
import { FacadeFactory } from './facade/facade-factory.js';
import type { PluginPackage } from './package/manifest.js';
import { loadPluginModule } from './package/module-loader.js';
import { loadPluginTexts } from './package/plugin-texts.js';
import { requirePermission } from './package/permissions.js';
import { requireOwnTables } from './tables/own-tables.js';
import { PluginTables } from './tables/plugin-tables.js';

import { CrashMarks } from './runtime/crash-marks.js';
import { PluginEntities } from './runtime/plugin-entities.js';
import type { PluginLife } from './runtime/plugin-life.js';
import { toRootModule } from './runtime/plugin-module.js';
import { RuntimeLimits } from './runtime/runtime-limits.js';
import { keepSharedObjects } from './runtime/shared-objects.js';

/** Loads the code of plugins and starts their modules, within the deadline for activation. */
@Injectable()
export class PluginLoader {
  constructor(
    private readonly facades: FacadeFactory,
    private readonly tables: PluginTables,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly marks: CrashMarks,
    private readonly limits: RuntimeLimits,
  ) {}

  /**
   * Runs the plugin's entry and starts its modules. Meanwhile a crash mark is set: if the process dies, the next one skips the plugin.
   *
   * @param givenUp rejects if the start is cancelled
   * @returns the context of its modules
   * @throws what the code throws; PluginCallError beyond the deadline; the reason of `givenUp`. A context that starts later is closed.
   */
  async load(plugin: PluginPackage, life: PluginLife, givenUp: Promise<never>): Promise<INestApplicationContext> {
    const { slug } = plugin;
    let starting: Promise<INestApplicationContext> | undefined;
    try {
      life.registrations.add(loadPluginTexts(plugin));
      const start = this.calls.run(
        this.calls.place(slug, 'activation'),
        { kind: 'action', deadline: this.limits.activation },
        () => (starting = this.start(plugin, life)),
      );
      return await Promise.race([start, givenUp]);
    } catch (error) {
      void starting?.then((context) => runInFrame({ owner: slug }, () => context.close())).catch(() => undefined);
      throw error;
    } finally {
      this.marks.clear(slug);
    }
  }

  private async start(plugin: PluginPackage, life: PluginLife): Promise<INestApplicationContext> {
    const facade = this.facades.create(plugin, life);
    this.marks.set(plugin.slug);
    noteCodeFolder(plugin.slug, realpathSync(plugin.folder));
    const place = this.calls.place(plugin.slug, 'activation');
    const putBack = keepSharedObjects();
    const entities = new PluginEntities();
    const check = (): void => {
      life.requireOn();
      requirePermission(plugin, 'tables', 'DataSource');
    };
    const dataSource = () =>
      this.tables.dataSourceFor(plugin.slug, [...entities.declared], check, (sql, own) => requireOwnTables(plugin, sql, own));
    try {
      const exported = entities.during(() => loadPluginModule(plugin.folder, plugin.entry, life, entities.packages));
      const root = await toRootModule(exported, facade, (work) => this.calls.note(place, work), dataSource);
      // No `logger`: Nest has one for the whole process, and `false` here would silence the panel's own.
      return await NestFactory.createApplicationContext(root, { abortOnError: false });
    } finally {
      entities.forget();
      this.reportShared(plugin.slug, putBack());
    }
  }

  /** Reports shared objects of the process that the plugin changed while it started; they have been restored. */
  private reportShared(slug: string, names: readonly string[]): void {
    if (names.length > 0)
      this.faults.report(slug, 'activation', new PluginError('SHARED_CHANGED', { names: names.slice(0, 10).join(', ') }));
  }
}
