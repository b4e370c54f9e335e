import { Module } from '@nestjs/common';

import { BlockedPlugins } from './blocked-plugins.js';
import { NewerInStore } from './newer-in-store.js';
import { NewerVersions } from './newer-versions.js';
import { PackageCheck } from './package-check.js';
import { PackageExchange } from './package-exchange.js';
import { PackageUploads } from './package-uploads.js';
import { PackageWork } from './package-work.js';
import { PluginBetasOperations } from './plugin-betas.operations.js';
import { PluginBetas } from './plugin-betas.js';
import { PluginActions } from './plugin-actions.js';
import { PluginHealth } from './plugin-health.js';
import { PluginPackageOperations } from './plugin-package.operations.js';
import { PluginStoreOperations } from './plugin-store.operations.js';
import { PluginStorePages } from './plugin-store.pages.js';
import { RevokedFiles } from './revoked-files.js';
import { StoreCatalogue } from './store-catalogue.js';
import { StoreClient } from './store-client.js';
import { StoreNotices } from './store-notices.js';
import { StorePackages } from './store-packages.js';
import { StoreShelf } from './store-shelf.js';
import { StoreWatch } from './store-watch.js';
import {
  BlockedThemes,
  ThemeBetas,
  ThemeBetasOperations,
  ThemeVersions,
  ThemeActions,
  ThemeExchange,
  ThemeFolders,
  ThemePackageOperations,
  ThemeShelf,
  ThemeStoreOperations,
  ThemeStorePages,
} from './themes/index.js';
import { TrustedKeys } from './trusted-keys.js';

/** The store inside the panel: installs, upgrades, rolls back and disables plugins and themes from a store. */
@Module({
  controllers: [PluginStorePages, ThemeStorePages],
  providers: [
    BlockedPlugins,
    NewerInStore,
    NewerVersions,
    PackageCheck,
    PackageExchange,
    PackageUploads,
    PackageWork,
    PluginBetas,
    PluginBetasOperations,
    PluginActions,
    PluginHealth,
    PluginPackageOperations,
    PluginStoreOperations,
    RevokedFiles,
    StoreCatalogue,
    StoreClient,
    StoreNotices,
    StorePackages,
    StoreShelf,
    StoreWatch,
    TrustedKeys,
    BlockedThemes,
    ThemeBetas,
    ThemeBetasOperations,
    ThemeVersions,
    ThemeActions,
    ThemeExchange,
    ThemeFolders,
    ThemePackageOperations,
    ThemeShelf,
    ThemeStoreOperations,
  ],
  exports: [ThemeFolders],
})
export class PluginStoreModule {}
