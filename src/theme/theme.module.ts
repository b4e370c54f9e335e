import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { HttpModule } from '../http/index.js';
import { OverrideRegistry } from './override-registry.js';
import { MenuRegistry, PageBanners, SettingsTabRegistry, WidgetRegistry } from './registries/index.js';
import { ThemeAssets } from './theme-assets.js';
import { ThemeCatalogue } from './theme-catalogue.js';
import { ThemeNotices } from './theme-notices.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import { ThemeRenderer } from './theme-renderer.js';

const SERVICES = [
  ThemeRenderer,
  ThemeCatalogue,
  ThemeAssets,
  ThemeNotices,
  OverrideRegistry,
  MenuRegistry,
  WidgetRegistry,
  SettingsTabRegistry,
  PageBanners,
];

/** Options of {@link ThemeModule.forRootAsync}. */
export interface ThemeModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  inject?: FactoryProvider['inject'];
  useFactory: (...args: never[]) => ThemeOptions | Promise<ThemeOptions>;
}

/** Views, assets, menus, widgets, settings tabs and overrides of the panel. */
@Module({})
export class ThemeModule {
  /** With options from other providers, such as the configuration. */
  static forRootAsync({ imports, inject, useFactory }: ThemeModuleAsyncOptions): DynamicModule {
    return {
      module: ThemeModule,
      global: true,
      imports: [HttpModule, ...(imports ?? [])],
      providers: [Clock, { provide: THEME_OPTIONS, inject, useFactory: useFactory as FactoryProvider['useFactory'] }, ...SERVICES],
      exports: SERVICES,
    };
  }
}
