import { Inject, Injectable, Optional, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { DurableListeners, EventDispatcher, HookRegistry } from '../hooks/index.js';
import { AccountRecovery, SitesServer } from '../hosting/index.js';
import { BackgroundQueue, Quiet } from '../jobs/index.js';
import { MonitorRunner } from '../monitor/index.js';
import { NoticeTexts } from '../notify/index.js';
import { PluginRegistry } from '../plugin-registry/index.js';
import { SiteSettings } from '../site/index.js';
import { FollowedIndex, StorageHealth } from '../store/index.js';

import { Readiness } from './readiness.js';
import { whileWorking } from './v8-flags.js';

/** How a store starts. */
@Injectable()
export class StoreStart {
  constructor(
    private readonly storage: StorageHealth,
    private readonly index: FollowedIndex,
  ) {}

  async run(): Promise<void> {
    // Not waited for: a storage that hangs holds up nobody.
    void this.storage.refresh();
    await this.index.start();
  }
}

/**
 * How a panel starts: settings, hosted sites, plugins, then what a crash left behind, events once their listeners are there, and monitors.
 */
@Injectable()
export class PanelStart {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: SiteSettings,
    private readonly notices: NoticeTexts,
    private readonly sites: SitesServer,
    private readonly plugins: PluginRegistry,
    private readonly hooks: HookRegistry,
    private readonly recovery: AccountRecovery,
    private readonly events: EventDispatcher,
    private readonly listeners: DurableListeners,
    private readonly monitors: MonitorRunner,
    private readonly quiet: Quiet,
  ) {}

  async run(): Promise<void> {
    await this.settings.start();
    await this.notices.start();
    await this.sites.start();
    await this.plugins.start();
    await this.listeners.sync('core');
    await this.hooks.doAction('boot');
    this.quiet.whenReleased(() => {
      this.recovery.start();
      this.events.start();
      if (this.config.runs('worker')) this.monitors.start();
    });
  }
}

/**
 * The order in which things start, in one place: providers that work by themselves (listen, deliver, look after rows) do not begin of their
 * own accord. In `onModuleInit` they only put themselves into registries. Each ends in its own shutdown hook.
 */
@Injectable()
export class Lifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly readiness: Readiness,
    private readonly tasks: BackgroundQueue,
    private readonly quiet: Quiet,
    @Optional() @Inject(StoreStart) private readonly store: StoreStart | null,
    @Optional() @Inject(PanelStart) private readonly panel: PanelStart | null,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    whileWorking();
    await this.store?.run();
    await this.panel?.run();
    this.quiet.whenReleased(() => this.tasks.start());
    this.readiness.ready = true;
  }

  /** A balancer sees that this process goes before its connections end. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
