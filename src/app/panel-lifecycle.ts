import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { loggerFor } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { EventDispatcher, HookRegistry } from '../hooks/index.js';
import { PluginRegistry } from '../plugin-registry/index.js';
import { Readiness } from './readiness.js';
import { SiteSettings } from '../site/index.js';

const log = loggerFor('panel');

/** The order in which things start and stop: settings, plugins, what a crash left behind, events, and only then requests. */
@Injectable()
export class PanelLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: SiteSettings,
    private readonly plugins: PluginRegistry,
    private readonly events: EventDispatcher,
    private readonly hooks: HookRegistry,
    private readonly readiness: Readiness,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.redisUrl) log.warn('REDIS_URL is set, but this version keeps its queue and cache in the database and does not use it.');
    await this.settings.start();
    await this.plugins.start();
    await this.hooks.doAction('boot');
    // Deliveries that waited for a plugin's listener can go on now.
    this.events.wake();
    this.readiness.ready = true;
  }

  /** A balancer sees that this process goes before its connections end. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
