import { Injectable, type INestApplicationContext } from '@nestjs/common';

import { loggerFor } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';
import { Changeovers } from '../operations/index.js';

import type { PluginPackage } from './package/manifest.js';

import { activationProblem } from './runtime/activation-problem.js';
import { PageLinks } from './runtime/page-links.js';
import { PluginLives } from './runtime/plugin-lives.js';
import { PluginLoader } from './plugin-loader.js';
import { RunningPlugins } from './runtime/running-plugins.js';

const log = loggerFor('plugins');

/** The start of a plugin was cancelled because the plugin was disabled meanwhile. */
class StartGivenUp extends Error {}

/** Starts and stops single plugins. The registry decides which ones and in which order. */
@Injectable()
export class PluginRuntime {
  /** Plugins that are starting, with the function that cancels the start. */
  private readonly starts = new Map<string, (reason: StartGivenUp) => void>();

  constructor(
    private readonly loader: PluginLoader,
    private readonly lives: PluginLives,
    private readonly listeners: DurableListeners,
    private readonly links: PageLinks,
    private readonly running: RunningPlugins,
    private readonly changeovers: Changeovers,
  ) {}

  /** Returns whether a start failed only because the plugin was disabled meanwhile. */
  static wasGivenUp(problem: unknown): boolean {
    return problem instanceof Error && problem.cause instanceof StartGivenUp;
  }

  /** Slugs of the running plugins, in start order. */
  get slugs(): string[] {
    return [...this.running.keys()];
  }

  /** Slugs of the plugins that are starting. */
  get startingSlugs(): string[] {
    return [...this.starts.keys()];
  }

  /** Stops and starts plugins; requests for operations and routes that are missing meanwhile wait and look again. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.changeovers.during(work);
  }

  /** Returns the package of a running plugin. */
  packageOf(slug: string): PluginPackage | undefined {
    return this.running.get(slug)?.package;
  }

  /**
   * Loads a plugin and lets it register: all of it or nothing. If anything throws, everything it registered or started is undone.
   *
   * @throws PluginError ACTIVATION_FAILED, or the problem of its code (ES_MODULE, NOT_INJECTABLE, …)
   */
  async activate(plugin: PluginPackage): Promise<void> {
    const { slug } = plugin;
    const life = this.lives.begin(plugin);
    let reasonToGiveUp: StartGivenUp | undefined;
    let context: INestApplicationContext | undefined;
    const givenUp = new Promise<never>((_resolve, reject) => {
      this.starts.set(slug, (reason) => {
        reasonToGiveUp = reason;
        reject(reason);
      });
    });
    // If the plugin is disabled after its start has failed, nothing awaits this promise.
    givenUp.catch(() => undefined);
    try {
      context = await this.loader.load(plugin, life, givenUp);
      this.links.check(slug);
      await this.listeners.sync(slug);
      this.running.set(slug, { package: plugin, life, context });
      life.begin();
      log.info({ plugin: slug, version: plugin.version }, 'plugin active');
    } catch (error) {
      await this.lives.abort(life, context, reasonToGiveUp ? null : error);
      throw activationProblem(reasonToGiveUp ?? error);
    } finally {
      this.starts.delete(slug);
    }
  }

  /**
   * Stops a plugin: removes its registrations, waits for running calls, then runs its stop callbacks and shutdown hooks.
   *
   * @param patience the longest wait for running calls, in milliseconds; by default the panel's limit
   */
  async deactivate(slug: string, patience?: number): Promise<void> {
    this.starts.get(slug)?.(new StartGivenUp(`${slug} was disabled while it started`));
    const plugin = this.running.get(slug);
    if (!plugin) return;
    const { life, context } = plugin;
    this.running.delete(slug);
    this.lives.takeBack(life);
    const left = await this.lives.drain(life, patience);
    if (left > 0)
      log.warn({ plugin: slug, calls: left }, 'a plugin is stopped while its calls still run; they can no longer use the panel');
    await this.lives.end(life, context);
    log.info({ plugin: slug }, 'plugin stopped');
  }
}
