import { Injectable } from '@nestjs/common';

import type { RegistrationScope } from '../../common/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { DnsFunctionsFactory, type DnsFunctions } from './dns-functions.js';
import { DriverFunctionsFactory, type DriverFunctions } from './driver-functions.js';
import { HookFunctionsFactory, type HookFunctions } from './hook-functions.js';
import { NoticeFunctionsFactory, type NoticeFunctions } from './notice-functions.js';
import { PaymentFunctionsFactory, type PaymentFunctions } from './payment-functions.js';
import { WorkFunctionsFactory, type WorkFunctions } from './work-functions.js';

/**
 * Facade functions for everything the panel calls in plugins: events and filters, gateways, notice channels, host drivers and DNS
 * providers, background tasks and schedules.
 */
export type PortFunctions = HookFunctions & PaymentFunctions & NoticeFunctions & DriverFunctions & DnsFunctions & WorkFunctions;

/** Composes them for one plugin. */
@Injectable()
export class PortFunctionsFactory {
  constructor(
    private readonly hooks: HookFunctionsFactory,
    private readonly payments: PaymentFunctionsFactory,
    private readonly channels: NoticeFunctionsFactory,
    private readonly drivers: DriverFunctionsFactory,
    private readonly dns: DnsFunctionsFactory,
    private readonly work: WorkFunctionsFactory,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): PortFunctions {
    return {
      ...this.hooks.functionsFor(plugin.slug, registrations),
      ...this.payments.functionsFor(plugin, registrations),
      ...this.channels.functionsFor(plugin.slug, registrations),
      ...this.drivers.functionsFor(plugin, registrations),
      ...this.dns.functionsFor(plugin, registrations),
      ...this.work.functionsFor(plugin, registrations),
    };
  }
}
