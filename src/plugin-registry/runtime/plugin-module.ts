import { Module, type DynamicModule, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';

import {
  CustomerAccountsService,
  CreditService,
  CustomersService,
  HostsService,
  JobsService,
  MailService,
  NamesService,
  NoticesService,
  OrdersService,
  PasswordsService,
  PluginDatabase,
  PluginLogger,
  SVC_FACADE,
  type PluginFunction,
  type SvcFacade,
} from '../../sdk/index.js';

import { checkModules } from './module-check.js';

/** What a plugin's entry may export. */
type PluginExport = PluginFunction | Type<unknown> | DynamicModule;

/** Runs the first lines of a plugin's function where the watchdog sees them. */
export type EnterPlugin = <Result>(work: () => Result) => Result;

/** Runs a function plugin when its context starts, so that all three kinds take the same way. */
class FunctionPlugin implements OnModuleInit {
  constructor(
    private readonly run: PluginFunction,
    private readonly svc: SvcFacade,
    private readonly enter: EnterPlugin,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.enter(() => this.run(this.svc));
  }
}

/** Gives the plugin's modules the facade and its services by injection. */
@Module({})
class FacadeModule {}

/** Root of a plugin's child context. */
@Module({})
class PluginRootModule {}

/**
 * The root module for what a plugin's entry exports: a function, a Nest module class, or a `DynamicModule`
 * (as `module.exports` or as its `default`).
 *
 * @param dataSource the one of the plugin's own entities; asked once, for a Nest module
 * @throws Error that says what an entry may export; PluginError those of {@link checkModules}
 */
export async function toRootModule(
  exported: unknown,
  facade: SvcFacade,
  enter: EnterPlugin,
  dataSource: () => Promise<DataSource>,
): Promise<DynamicModule> {
  const plugin = unwrap(exported);
  if (isModule(plugin)) await checkModules(plugin);
  const services = [
    { provide: SVC_FACADE, useValue: facade },
    { provide: HostsService, useValue: facade.hosts },
    { provide: CustomerAccountsService, useValue: facade.customerAccounts },
    { provide: CustomersService, useValue: facade.customers },
    { provide: CreditService, useValue: facade.credit },
    { provide: OrdersService, useValue: facade.orders },
    { provide: NamesService, useValue: facade.names },
    { provide: NoticesService, useValue: facade.notices },
    { provide: PasswordsService, useValue: facade.passwords },
    { provide: PluginDatabase, useValue: facade.db },
    { provide: PluginLogger, useValue: facade.log },
    { provide: JobsService, useValue: facade.jobs },
    { provide: MailService, useValue: facade.mail },
  ];
  if (isModule(plugin)) {
    const repositories = [
      { provide: DataSource, useFactory: dataSource },
      { provide: EntityManager, inject: [DataSource], useFactory: ({ manager }: DataSource) => manager },
    ];
    return { module: PluginRootModule, imports: [facadeModule([...services, ...repositories]), plugin] };
  }
  return {
    module: PluginRootModule,
    imports: [facadeModule(services)],
    providers: [{ provide: FunctionPlugin, useFactory: () => new FunctionPlugin(plugin, facade, enter) }],
  };
}

function facadeModule(providers: Provider[]): DynamicModule {
  return { module: FacadeModule, global: true, providers, exports: providers };
}

function unwrap(exported: unknown): PluginExport {
  const inner = (exported as { default?: unknown } | null)?.default ?? exported;
  if (typeof inner === 'function') return inner as PluginExport;
  if (typeof inner === 'object' && inner !== null && typeof (inner as DynamicModule).module === 'function') return inner as DynamicModule;
  throw new Error('The entry must export a function, a Nest module class or a DynamicModule.');
}

/** A class that `@Module` decorated, or a `DynamicModule`. */
function isModule(plugin: PluginExport): plugin is Type<unknown> | DynamicModule {
  if (typeof plugin === 'object') return true;
  return (
    ['imports', 'providers', 'controllers', 'exports'].some((key) => Reflect.hasMetadata(key, plugin)) ||
    /^class\b/.test(Function.prototype.toString.call(plugin))
  );
}
