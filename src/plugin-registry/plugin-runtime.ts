import { realpathSync } from 'node:fs';

import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { Faults, PluginCalls, loggerFor, noteCodeFolder, runInFrame } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';
import { Changeovers } from '../operations/index.js';

import { PluginError } from './errors.js';
import { FacadeFactory } from './facade/facade-factory.js';
import { loadPluginModule } from './package/module-loader.js';
import { requireOwnTables } from './tables/own-tables.js';
import { PluginTables } from './tables/plugin-tables.js';
import { loadPluginTexts } from './package/plugin-texts.js';
import type { PluginPackage } from './package/manifest.js';
import { requirePermission } from './package/permissions.js';

import { permissionText } from './permission-words.js';
import { PluginNotices } from './plugin-notices.js';
import { activationProblem } from './runtime/activation-problem.js';
import { CrashMarks } from './runtime/crash-marks.js';
import { OpenHandles } from './runtime/open-handles.js';
import { PluginEntities } from './runtime/plugin-entities.js';
import { PluginLife } from './runtime/plugin-life.js';
import { PageLinks } from './runtime/page-links.js';
import { toRootModule } from './runtime/plugin-module.js';
import { RunningPlugins } from './runtime/running-plugins.js';
import { permitsOf } from './runtime/node-permits.js';
import { RuntimeLimits } from './runtime/runtime-limits.js';
import { keepSharedObjects } from './runtime/shared-objects.js';

const log = loggerFor('plugins');

/** A start was ended from outside. */
class StartGivenUp extends Error {}

/** Starts and stops single plugins. Order, dependencies and what is wanted are the registry's business. */
@Injectable()
export class PluginRuntime {
  /** Plugins whose start goes on, with what gives it up. */
  private readonly starts = new Map<string, (reason: StartGivenUp) => void>();

  constructor(
    private readonly facades: FacadeFactory,
    private readonly tables: PluginTables,
    private readonly listeners: DurableListeners,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly handles: OpenHandles,
    private readonly marks: CrashMarks,
    private readonly limits: RuntimeLimits,
    private readonly links: PageLinks,
    private readonly running: RunningPlugins,
    private readonly changeovers: Changeovers,
    private readonly notices: PluginNotices,
  ) {}

  /** Whether a start ended because the plugin was switched off meanwhile, whatever its code did. */
  static wasGivenUp(problem: unknown): boolean {
    return problem instanceof Error && problem.cause instanceof StartGivenUp;
  }

  /** Slugs of the plugins that run, in the order they were started. */
  get slugs(): string[] {
    return [...this.running.keys()];
  }

  /** Slugs of the plugins whose start goes on. */
  get startingSlugs(): string[] {
    return [...this.starts.keys()];
  }

  /** Stops and starts plugins: who asks meanwhile for what is not there waits, and looks again. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.changeovers.during(work);
  }

  /** The package of a running plugin. */
  packageOf(slug: string): PluginPackage | undefined {
    return this.running.get(slug)?.package;
  }

  /**
   * Loads a plugin and lets it register. All of it, or nothing: whatever throws, everything it had registered or started is taken back.
   *
   * @throws PluginError ACTIVATION_FAILED, or what of the code stands in the way (ES_MODULE, NOT_INJECTABLE, …)
   */
  async activate(plugin: PluginPackage): Promise<void> {
    const { slug } = plugin;
    const life = this.lifeOf(plugin);
    this.faults.startAnew(slug);
    this.calls.forget(slug);
    let starting: Promise<INestApplicationContext> | undefined;
    let reasonToGiveUp: StartGivenUp | undefined;
    try {
      life.registrations.add(loadPluginTexts(plugin));
      const givenUp = new Promise<never>((_resolve, reject) => {
        this.starts.set(slug, (reason) => {
          reasonToGiveUp = reason;
          reject(reason);
        });
      });
      const place = this.calls.place(slug, 'activation');
      const start = this.calls.run(
        place,
        { kind: 'action', deadline: this.limits.activation },
        () => (starting = this.start(plugin, life)),
      );
      const context = await Promise.race([start, givenUp]);
      this.marks.clear(slug);
      this.links.check(slug);
      await this.listeners.sync(slug);
      this.running.set(slug, { package: plugin, life, context });
      life.begin();
      log.info({ plugin: slug, version: plugin.version }, 'plugin active');
    } catch (error) {
      if (!reasonToGiveUp) this.faults.report(slug, 'activation', error);
      this.takeBack(slug, life);
      await this.end(slug, life);
      // It may have started after all, too late or in vain: then its modules must end too.
      void starting?.then((context) => runInFrame({ owner: slug }, () => context.close())).catch(() => undefined);
      throw activationProblem(reasonToGiveUp ?? error);
    } finally {
      this.marks.clear(slug);
      this.starts.delete(slug);
    }
  }

  /**
   * Stops a plugin: its registrations go first, so that nothing new reaches it; what is under way may end; then its stop callbacks
   * and its modules' hooks run; and then nothing of it is left.
   *
   * @param patience milliseconds for the calls under way
   */
  async deactivate(slug: string, patience = this.limits.drain): Promise<void> {
    this.starts.get(slug)?.(new StartGivenUp(`${slug} was switched off while it started`));
    const plugin = this.running.get(slug);
    if (!plugin) return;
    this.running.delete(slug);
    this.takeBack(slug, plugin.life);
    const left = await plugin.life.drain(patience);
    if (left > 0)
      log.warn(
        { plugin: slug, calls: left },
        'a plugin is stopped while calls of it are still under way; what they do from now on is refused',
      );
    await this.end(slug, plugin.life, plugin.context);
    log.info({ plugin: slug }, 'plugin stopped');
  }

  private lifeOf(plugin: PluginPackage): PluginLife {
    const { slug } = plugin;
    return new PluginLife(
      slug,
      (what, error) => this.faults.strike(slug, 'crash', what, error),
      (work) => this.calls.note(this.calls.place(slug, 'process listener'), () => runInFrame({ owner: slug }, work)),
      (work) => this.calls.note(this.calls.place(slug, 'timer'), work),
      permitsOf(plugin, (permission, module) =>
        this.notices.add(slug, 'plugins.notice.unsaid', { module, words: permissionText(permission) }),
      ),
    );
  }

  private async end(slug: string, life: PluginLife, context?: INestApplicationContext): Promise<void> {
    const stop = async (): Promise<void> => {
      for (const error of await life.runStopCallbacks()) this.faults.report(slug, 'onStop', error);
      await context?.close();
    };
    try {
      await this.calls.run(this.calls.place(slug, 'shutdown'), { kind: 'action', deadline: this.limits.shutdown }, stop);
    } catch (error) {
      this.faults.report(slug, 'shutdown', error);
    } finally {
      life.end();
      this.handles.close(slug);
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
      this.tellChanged(plugin.slug, putBack());
    }
  }

  /** Names what a plugin changed, as it started, that the panel and all plugins share: it is as it was. */
  private tellChanged(slug: string, names: readonly string[]): void {
    if (names.length > 0)
      this.faults.report(slug, 'activation', new PluginError('SHARED_CHANGED', { names: names.slice(0, 10).join(', ') }));
  }

  private takeBack(slug: string, life: PluginLife): void {
    for (const error of life.takeBack()) this.faults.report(slug, 'taking back a registration', error);
  }
}
