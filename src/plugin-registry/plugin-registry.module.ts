import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { DnsModule } from '../dns/index.js';
import { NamesModule, OwnersModule } from '../hosting/index.js';
import { LedgerModule } from '../ledger/index.js';
import { PackagesModule } from '../packages/index.js';
import { PaymentModule } from '../payment/index.js';

import { BusinessServicesFactory } from './facade/business-services.js';
import { CustomerBelongings, CustomerForms, CustomerOwnAccount } from './facade/customer-account-functions.js';
import { AccountFunctionsFactory, CustomerFunctionsFactory } from './facade/customer-functions.js';
import { CreditAccountFunctions } from './facade/credit-account-functions.js';
import { CreditFunctionsFactory } from './facade/credit-functions.js';
import { DnsFunctionsFactory } from './facade/dns-functions.js';
import { DriverFunctionsFactory } from './facade/driver-functions.js';
import { FacadeFactory } from './facade/facade-factory.js';
import { GuardFunctionsFactory } from './facade/guard-functions.js';
import { HookFunctionsFactory } from './facade/hook-functions.js';
import { NameFunctionsFactory } from './facade/name-functions.js';
import { NameZoneFunctions } from './facade/name-zone-functions.js';
import { NoticeFunctionsFactory } from './facade/notice-functions.js';
import { PasswordFunctionsFactory } from './facade/password-functions.js';
import { GatewayRegistrations } from './facade/gateway-registrations.js';
import { PaymentFunctionsFactory } from './facade/payment-functions.js';
import { RegistrationNotices } from './facade/registration-notices.js';
import { OrderFunctionsFactory } from './facade/order-functions.js';
import { HostDomainFunctions } from './facade/host-domain-functions.js';
import { HostLists } from './facade/host-lists.js';
import { HostServices } from './facade/host-services.js';
import { IdentityFunctionsFactory } from './facade/identity-functions.js';
import { OperationFunctionsFactory } from './facade/operation-functions.js';
import { PageFunctionsFactory } from './facade/page-functions.js';
import { PanelServicesFactory } from './facade/panel-services.js';
import { PlaceFunctionsFactory } from './facade/place-functions.js';
import { PortFunctionsFactory } from './facade/port-functions.js';
import { MailFunctionsFactory } from './facade/mail-functions.js';
import { ServiceRegistry } from './facade/service-registry.js';
import { WebFunctionsFactory } from './facade/web-functions.js';
import { WorkFunctionsFactory } from './facade/work-functions.js';
import { HeldEventsBanner } from './held-events-banner.js';
import { PluginStrike } from './entities/index.js';
import { FaultKeeper } from './fault-keeper.js';
import { InstalledPlugins } from './installed-plugins.js';
import { UnhandledRejectionTracker } from './unhandled-rejection-tracker.js';
import { PluginAdmission } from './plugin-admission.js';
import { PluginBelongings } from './plugin-belongings.js';
import { PluginBanners } from './plugin-banners.js';
import { KeptVersions } from './package/kept-versions.js';
import { PackageFolders } from './package/package-folders.js';
import { PluginFiles } from './package/plugin-files.js';
import { PluginFolders } from './package/plugin-folders.js';
import { PluginInfos } from './plugin-infos.js';
import { PluginListings } from './plugin-listings.js';
import { PluginNotices } from './plugin-notices.js';
import { PluginOptions } from './plugin-options.js';
import { PluginReconciler } from './plugin-reconciler.js';
import { PluginRegistry } from './plugin-registry.js';
import { PluginSettingsOperations } from './plugin-settings.operations.js';
import { PluginSteps } from './tables/plugin-steps.js';
import { PluginTables } from './tables/plugin-tables.js';
import { PluginOperations } from './plugin.operations.js';
import { PluginStrikes } from './plugin-strikes.js';
import { PluginTraces } from './plugin-traces.js';
import { PluginUpgrades } from './plugin-upgrades.js';
import { Quarantine } from './quarantine.js';
import { RunnablePackages } from './runnable-packages.js';
import { CrashMarks } from './runtime/crash-marks.js';
import { OpenHandles } from './runtime/open-handles.js';
import { PageLinks } from './runtime/page-links.js';
import { PluginLives } from './runtime/plugin-lives.js';
import { PluginLoader } from './plugin-loader.js';
import { PluginRuntime } from './plugin-runtime.js';
import { RunningPlugins } from './runtime/running-plugins.js';
import { RuntimeLimits } from './runtime/runtime-limits.js';
import { SafeModeLink } from './safe-mode-link.js';
import { StallWatch } from './stall-watch.js';

/** Lifecycle of plugins, and their access to the panel. */
@Global()
@Module({
  imports: [DnsModule, NamesModule, OwnersModule, PackagesModule, PaymentModule, LedgerModule, TypeOrmModule.forFeature([PluginStrike])],
  providers: [
    CrashMarks,
    PluginBanners,
    Quarantine,
    SafeModeLink,
    BusinessServicesFactory,
    FacadeFactory,
    FaultKeeper,
    GuardFunctionsFactory,
    HookFunctionsFactory,
    HeldEventsBanner,
    InstalledPlugins,
    KeptVersions,
    UnhandledRejectionTracker,
    OpenHandles,
    PasswordFunctionsFactory,
    GatewayRegistrations,
    PaymentFunctionsFactory,
    HostDomainFunctions,
    NameFunctionsFactory,
    NameZoneFunctions,
    NoticeFunctionsFactory,
    AccountFunctionsFactory,
    CustomerBelongings,
    CustomerForms,
    CustomerOwnAccount,
    CreditAccountFunctions,
    CreditFunctionsFactory,
    CustomerFunctionsFactory,
    DnsFunctionsFactory,
    DriverFunctionsFactory,
    PackageFolders,
    PageLinks,
    PluginFolders,
    PluginInfos,
    PluginNotices,
    PluginOperations,
    PluginOptions,
    PluginAdmission,
    PluginListings,
    PluginReconciler,
    PluginRegistry,
    PluginStrikes,
    PluginTraces,
    RunnablePackages,
    PluginLives,
    PluginLoader,
    PluginRuntime,
    RunningPlugins,
    PluginSettingsOperations,
    PluginSteps,
    PluginTables,
    PluginUpgrades,
    RegistrationNotices,
    RuntimeLimits,
    OrderFunctionsFactory,
    HostServices,
    HostLists,
    PluginBelongings,
    IdentityFunctionsFactory,
    OperationFunctionsFactory,
    PageFunctionsFactory,
    PanelServicesFactory,
    PlaceFunctionsFactory,
    PortFunctionsFactory,
    WebFunctionsFactory,
    WorkFunctionsFactory,
    MailFunctionsFactory,
    ServiceRegistry,
    PluginFiles,
    StallWatch,
  ],
  exports: [
    FaultKeeper,
    InstalledPlugins,
    PackageFolders,
    PluginFolders,
    PluginListings,
    PluginOptions,
    PluginReconciler,
    PluginRegistry,
    PluginSteps,
    SafeModeLink,
    StallWatch,
    UnhandledRejectionTracker,
  ],
})
export class PluginRegistryModule {}
