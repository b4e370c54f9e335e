import { Injectable } from '@nestjs/common';

import type { SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import type { PluginLife } from '../runtime/plugin-life.js';

import { BusinessServicesFactory } from './business-services.js';
import { GuardFunctionsFactory } from './guard-functions.js';
import { guardedFacade } from './guarded-facade.js';
import { IdentityFunctionsFactory } from './identity-functions.js';
import { PanelServicesFactory } from './panel-services.js';
import { PortFunctionsFactory } from './port-functions.js';
import { versionFunctions } from './version-functions.js';
import { WebFunctionsFactory } from './web-functions.js';

/** Composes the facade through which a plugin uses the panel. */
@Injectable()
export class FacadeFactory {
  constructor(
    private readonly identity: IdentityFunctionsFactory,
    private readonly panel: PanelServicesFactory,
    private readonly business: BusinessServicesFactory,
    private readonly web: WebFunctionsFactory,
    private readonly ports: PortFunctionsFactory,
    private readonly guards: GuardFunctionsFactory,
  ) {}

  /** Creates the facade of one plugin; everything it registers and starts belongs to `life`, and the facade ends with it. */
  create(plugin: PluginPackage, life: PluginLife): SvcFacade {
    const { slug } = plugin;
    const { registrations, timers } = life;
    const facade: SvcFacade = {
      slug,
      path: plugin.folder,
      ...this.identity.functionsFor(plugin, registrations),
      ...this.panel.servicesFor(plugin),
      ...this.business.servicesFor(plugin, registrations),
      ...this.web.functionsFor(plugin, registrations),
      ...this.ports.functionsFor(plugin, registrations),
      ...this.guards.functionsFor(plugin),
      ...versionFunctions,
      onStop: (callback) => life.onStop(callback),
      setTimeout: timers.setTimeout as SvcFacade['setTimeout'],
      setInterval: timers.setInterval as SvcFacade['setInterval'],
      setImmediate: timers.setImmediate as SvcFacade['setImmediate'],
    };
    return guardedFacade(facade, life);
  }
}
