import { join } from 'node:path';

import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';

import { AccessModule } from '../access/index.js';
import { AccountModule, AccountPagesModule } from '../account/index.js';
import { BackupModule } from '../backup/index.js';
import { AuthModule, PasswordHasher, UserDirectory, accessOf } from '../auth/index.js';
import { OUTBOUND_OPTIONS, OutboundHttp } from '../common/index.js';
import { AppConfig, ConfigModule } from '../config/index.js';
import { Customers, CustomersModule } from '../customers/index.js';
import { DatabaseModule, type Database } from '../database/index.js';
import { DnsModule } from '../dns/index.js';
import { HealthModule } from './health.module.js';
import { HealthPagesModule } from '../health/index.js';
import { HookRegistry, HooksModule } from '../hooks/index.js';
import {
  BulkModule,
  DriftModule,
  HostingModule,
  HostingPagesModule,
  HostNoticeAccounts,
  HostUserDirectory,
  PASSWORD_HASHING,
  CertificatesModule,
  HoldsModule,
  OwnersModule,
  PresenceModule,
  ExpiryModule,
  IdleModule,
  RemindersModule,
  SiteBackupsModule,
  SiteProgramsModule,
  DeploymentsModule,
  ShopsModule,
} from '../hosting/index.js';
import { HttpModule, inputFields } from '../http/index.js';
import { JobsModule } from '../jobs/index.js';
import { OperationRegistry, OperationsModule } from '../operations/index.js';
import { MonitorModule } from '../monitor/index.js';
import { NoticeAccounts, NoticeCustomers, NotifyModule } from '../notify/index.js';
import { AgentsModule, AgentsPagesModule } from '../agents/index.js';
import { entries } from './entries.js';
import { Lifecycle, SharedWork, StoreStart } from './lifecycle.js';
import { PanelServices, PanelStart, PanelThemes, PanelWork, PluginWatches } from './panel-start.js';
import { ORDER_ACCOUNTS, PAY_FILTERS, PaymentModule, PaymentPagesModule, REFUND_CREDIT } from '../payment/index.js';
import { PluginFolders, PluginPagesModule, PluginReconciler, PluginRegistryModule } from '../plugin-registry/index.js';
import { PluginStoreModule } from '../plugin-store/index.js';
import { PackagesModule } from '../packages/index.js';
import { ProgramsModule } from '../programs/index.js';
import { RenewalModule } from '../renewal/index.js';
import { RateCheck } from './rate-check.js';
import { CouponPagesModule } from '../coupons/index.js';
import { ReceiptsModule } from '../receipts/index.js';
import { CreditModule, CreditRefunds, LedgerModule } from '../ledger/index.js';
import { pictureAddress, SiteModule, SiteSettings, themeOf, ThemeScriptGrants, ThemeSettings } from '../site/index.js';
import { StoreAloneModule, StoreModule } from '../store/index.js';
import { ThemeModule } from '../theme/index.js';
import { PageAccess } from '../web/index.js';
import { PagesModule } from '../pages/index.js';

/** Accounts of the user side use the common password hasher. */
@Module({ providers: [{ provide: PASSWORD_HASHING, useExisting: PasswordHasher }], exports: [PASSWORD_HASHING] })
class PasswordHashingModule {}

/**
 * Binds ports between modules: the payment module to the hooks, orders and notices to hosting accounts (which sign in and own orders), and
 * refunds to credit.
 */
@Global()
@Module({
  providers: [
    { provide: PAY_FILTERS, useExisting: HookRegistry },
    { provide: ORDER_ACCOUNTS, useExisting: HostUserDirectory },
    { provide: REFUND_CREDIT, useExisting: CreditRefunds },
    { provide: UserDirectory, useExisting: HostUserDirectory },
    { provide: NoticeAccounts, useExisting: HostNoticeAccounts },
    { provide: NoticeCustomers, useExisting: Customers },
  ],
  exports: [PAY_FILTERS, ORDER_ACCOUNTS, REFUND_CREDIT, UserDirectory, NoticeAccounts, NoticeCustomers],
})
class PortsModule {}

/** The outbound client with the internal networks that the operator allows. */
@Global()
@Module({
  providers: [
    { provide: OUTBOUND_OPTIONS, inject: [AppConfig], useFactory: (config: AppConfig) => ({ allowCidrs: config.outboundAllow }) },
    OutboundHttp,
  ],
  exports: [OutboundHttp],
})
class OutboundModule {}

/** Modules shared by panel and store, without business logic of either. */
const foundation = (config: AppConfig, database: Database) => [
  ConfigModule.forRoot(config),
  DatabaseModule.forRoot(database),
  AuthModule,
  DiscoveryModule,
  HttpModule,
  OutboundModule,
];

/**
 * Resolves a provider lazily, since it is created after its consumer, and caches it: a page needs it a dozen times, and each lookup
 * searches all modules.
 */
function later<Provider>(modules: ModuleRef, token: Type<Provider>): () => Provider {
  let found: Provider | undefined;
  return () => (found ??= modules.get<Provider, Provider>(token, { strict: false }));
}

/** The panel. */
const panel = (config: AppConfig) => [
  HooksModule,
  JobsModule.forRoot({ inject: [HookRegistry], cronHook: (hooks: HookRegistry) => () => hooks.doAction('cron') }),
  OperationsModule,
  PortsModule,
  ThemeModule.forRootAsync({
    inject: [SiteSettings, OperationRegistry, ModuleRef],
    useFactory: (settings: SiteSettings, operations: OperationRegistry, modules: ModuleRef) => {
      const themeSettings = later(modules, ThemeSettings);
      const grants = later(modules, ThemeScriptGrants);
      const access = later(modules, PageAccess);
      const plugins = later(modules, PluginReconciler);
      const pluginFolders = later(modules, PluginFolders);
      return {
        settings: (theme, call) => themeSettings().forPage(theme, call),
        settingPicture: pictureAddress,
        scriptGrants: (theme) => grants().of(theme),
        installedFolder: join(config.dataDir, 'themes'),
        timezone: config.timezone,
        mayUse: (call, what) => access().mayUse(accessOf(call.admin), what),
        inputOf: (side, operation) => {
          const input = operations.find(side === 'admin' ? 'admin' : 'user', operation)?.input;
          return input && inputFields(input);
        },
        activeTheme: (side, call) => themeOf(settings.current, side, call),
        runsOthersPlugins: () => plugins().activePackages.some(({ folder }) => !pluginFolders().isBundled(folder)),
      };
    },
  }),
  AccountModule,
  SiteModule,
  NotifyModule,
  CustomersModule,
  HostingModule.forRoot([PasswordHashingModule]),
  RemindersModule,
  SiteBackupsModule,
  SiteProgramsModule,
  DeploymentsModule,
  BulkModule,
  DriftModule,
  PresenceModule,
  ShopsModule,
  CertificatesModule,
  HoldsModule,
  OwnersModule,
  IdleModule,
  ExpiryModule,
  AgentsModule,
  PaymentModule,
  CreditModule,
  LedgerModule,
  DnsModule,
  PackagesModule,
  ProgramsModule,
  RenewalModule,
  PluginRegistryModule,
  HostingPagesModule,
  AgentsPagesModule,
  PaymentPagesModule,
  CouponPagesModule,
  ReceiptsModule,
  AccountPagesModule,
  AccessModule,
  PluginPagesModule,
  PluginStoreModule,
  MonitorModule,
  BackupModule,
  HealthPagesModule,
];

/** Scheduling without the plugins' hook. */
const plainJobs = () => JobsModule.forRoot({ cronHook: () => () => undefined });

/** The whole product, composed of the services that SERVICES names. */
@Module({})
export class AppModule {
  /** @param database connected and migrated */
  static forRoot(config: AppConfig, database: Database): DynamicModule {
    const store = config.runs('store') ? [StoreModule] : [];
    const storeAlone = config.runs('store') ? [StoreAloneModule] : [];
    return {
      module: AppModule,
      // PagesModule and StoreAloneModule last: their catch-all routes must follow all other routes.
      imports: config.runs('panel')
        ? [...foundation(config, database), ...panel(config), HealthModule, ...store, PagesModule]
        : [...foundation(config, database), plainJobs(), HealthModule, ...store, ...storeAlone],
      providers: [
        entries(config.runs('panel')),
        RateCheck,
        SharedWork,
        Lifecycle,
        ...(config.runs('store') ? [StoreStart] : []),
        ...(config.runs('panel') ? [PluginWatches, PanelServices, PanelThemes, PanelWork, PanelStart] : []),
      ],
    };
  }
}
