import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { Faults, PluginCalls, RegistrationScope, loggerFor, runInFrame } from '../../common/index.js';
import { DurableListeners } from '../../hooks/index.js';

import { FacadeFactory } from '../facade/facade-factory.js';
import { loadPluginModule } from '../package/module-loader.js';
import { loadPluginTexts } from '../package/plugin-texts.js';
import type { PluginPackage } from '../package/manifest.js';

import { activationProblem } from './activation-problem.js';
import { toRootModule } from './plugin-module.js';
import { RuntimeLimits } from './runtime-limits.js';

const log = loggerFor('plugins');

/** A plugin that runs. */
interface RunningPlugin {
  readonly package: PluginPackage;
  readonly registrations: RegistrationScope;
  readonly context: INestApplicationContext;
}

/** Starts and stops single plugins. Order, dependencies and what is wanted are the registry's business. */
@Injectable()
export class PluginRuntime {
  private readonly running = new Map<string, RunningPlugin>();

  constructor(
    private readonly facades: FacadeFactory,
    private readonly listeners: DurableListeners,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly limits: RuntimeLimits,
  ) {
    facades.useLookup((slug) => this.packageOf(slug));
  }

  /** Slugs of the plugins that run, in the order they were started. */
  get slugs(): string[] {
    return [...this.running.keys()];
  }

  /** The package of a running plugin. */
  packageOf(slug: string): PluginPackage | undefined {
    return this.running.get(slug)?.package;
  }

  /**
   * Loads a plugin and lets it register. All of it, or nothing: whatever throws, every registration is taken back.
   *
   * @throws PluginError ACTIVATION_FAILED, or what of the code stands in the way (ES_MODULE, NOT_INJECTABLE, …)
   */
  async activate(plugin: PluginPackage): Promise<void> {
    const { slug } = plugin;
    const registrations = new RegistrationScope();
    this.faults.clear(slug);
    this.calls.forget(slug);
    let starting: Promise<INestApplicationContext> | undefined;
    try {
      registrations.add(loadPluginTexts(plugin));
      starting = runInFrame({ owner: slug }, () => this.start(plugin, registrations));
      const context = await withLimit(this.limits.activation, starting, `${slug} did not start within ${this.limits.activation / 1_000} seconds`);
      await this.listeners.sync(slug);
      this.running.set(slug, { package: plugin, registrations, context });
      log.info({ plugin: slug, version: plugin.version }, 'plugin active');
    } catch (error) {
      this.takeBack(slug, registrations);
      // It may have started after all, too late or in vain: then its timers and connections must end.
      void starting?.then((context) => this.close(slug, context)).catch(() => undefined);
      this.faults.report(slug, 'activation', error);
      throw activationProblem(error);
    }
  }

  /** Stops a plugin: its registrations go first, then its context is closed. */
  async deactivate(slug: string): Promise<void> {
    const plugin = this.running.get(slug);
    if (!plugin) return;
    this.running.delete(slug);
    this.takeBack(slug, plugin.registrations);
    await this.close(slug, plugin.context);
    log.info({ plugin: slug }, 'plugin stopped');
  }

  private async close(slug: string, context: INestApplicationContext): Promise<void> {
    try {
      await withLimit(this.limits.shutdown, runInFrame({ owner: slug }, () => context.close()), `${slug} did not stop in time`);
    } catch (error) {
      this.faults.report(slug, 'shutdown', error);
    }
  }

  private async start(plugin: PluginPackage, registrations: RegistrationScope): Promise<INestApplicationContext> {
    const facade = this.facades.create(plugin, registrations);
    const root = await toRootModule(loadPluginModule(plugin.folder, plugin.entry), facade);
    // No `logger`: Nest has one for the whole process, and `false` here would silence the panel's own.
    return NestFactory.createApplicationContext(root, { abortOnError: false });
  }

  private takeBack(slug: string, registrations: RegistrationScope): void {
    for (const error of registrations.dispose()) this.faults.report(slug, 'taking back a registration', error);
  }
}

async function withLimit<T>(milliseconds: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
    timer.unref();
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
