import { Injectable } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { DurableListeners, EventDispatcher, HookRegistry } from '../hooks/index.js';
import { AccountRecovery, BundledPrograms, SitesServer } from '../hosting/index.js';
import { Quiet } from '../jobs/index.js';
import { MonitorRunner } from '../monitor/index.js';
import { NoticeTexts } from '../notify/index.js';
import { FaultKeeper, PluginRegistry, StallWatch, UnhandledRejectionTracker } from '../plugin-registry/index.js';
import { ThemeFolders } from '../plugin-store/index.js';
import { SiteSettings, ThemeChoice, ThemeScriptGrants, ThemeSettings } from '../site/index.js';

/** Themes: repairs files of an interrupted theme exchange, then loads the selected themes and their settings. */
@Injectable()
export class PanelThemes {
  constructor(
    private readonly folders: ThemeFolders,
    private readonly choice: ThemeChoice,
    private readonly settings: ThemeSettings,
    private readonly scripts: ThemeScriptGrants,
  ) {}

  async start(): Promise<void> {
    await this.folders.recover();
    await this.choice.start();
    await this.settings.start();
    await this.scripts.start();
  }
}

/** Monitors plugins; starts before any of their code runs. */
@Injectable()
export class PluginWatches {
  constructor(
    private readonly rejections: UnhandledRejectionTracker,
    private readonly stalls: StallWatch,
    private readonly faults: FaultKeeper,
  ) {}

  async start(): Promise<void> {
    this.rejections.start();
    this.stalls.start();
    await this.faults.start();
  }
}

/** Services of the panel: settings, hosted sites, then plugins and their listeners. */
@Injectable()
export class PanelServices {
  constructor(
    private readonly settings: SiteSettings,
    private readonly notices: NoticeTexts,
    private readonly sites: SitesServer,
    private readonly plugins: PluginRegistry,
    private readonly listeners: DurableListeners,
    private readonly hooks: HookRegistry,
  ) {}

  async start(): Promise<void> {
    await this.settings.start();
    await this.notices.start();
    await this.sites.start();
    await this.plugins.start();
    await this.listeners.sync(CORE_OWNER);
    await this.hooks.doAction('boot');
  }
}

/**
 * Background work of the panel: recovery after a crash, events (whose listeners are registered by then), and monitors. A restored panel
 * starts none of it before it is released.
 */
@Injectable()
export class PanelWork {
  constructor(
    private readonly config: AppConfig,
    private readonly recovery: AccountRecovery,
    private readonly events: EventDispatcher,
    private readonly monitors: MonitorRunner,
    private readonly quiet: Quiet,
  ) {}

  start(): void {
    this.quiet.whenReleased(() => {
      this.recovery.start();
      this.events.start();
      if (this.config.runs('worker')) this.monitors.start();
    });
  }
}

/** Start order of a panel: plugin monitoring, themes, services, then new bundled programs, then background work. */
@Injectable()
export class PanelStart {
  constructor(
    private readonly watches: PluginWatches,
    private readonly themes: PanelThemes,
    private readonly services: PanelServices,
    private readonly programs: BundledPrograms,
    private readonly work: PanelWork,
  ) {}

  async run(): Promise<void> {
    await this.watches.start();
    await this.themes.start();
    await this.services.start();
    await this.programs.offer();
    this.work.start();
  }
}
