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

/** Allowed exports of a plugin's entry. */
type PluginExport = PluginFunction | Type<unknown> | DynamicModule;

/** Runs the synchronous start of a plugin's function under the watchdog. */
export type EnterPlugin = <Result>(work: () => Result) => Result;

/** Runs a function plugin in `onModuleInit`, so that all three kinds start the same way. */
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

/** Provides the facade and its services to the plugin's modules by injection. */
@Module({})
class FacadeModule {}

/** Root module of a plugin's child context. */
@Module({})
class PluginRootModule {}

/**
 * Creates the root module for the entry's export: a function, a Nest module class, or a `DynamicModule` (as `module.exports` or as its
 * `default`).
 *
 * @param dataSource returns that of the plugin's own entities; called once, for a Nest module
 * @throws Error naming the allowed exports; PluginError those of {@link checkModules}
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

/** Whether it is a class decorated with `@Module`, or a `DynamicModule`. */
function isModule(plugin: PluginExport): plugin is Type<unknown> | DynamicModule {
  if (typeof plugin === 'object') return true;
  return (
    ['imports', 'providers', 'controllers', 'exports'].some((key) => Reflect.hasMetadata(key, plugin)) ||
    /^class\b/.test(Function.prototype.toString.call(plugin))
  );
}
