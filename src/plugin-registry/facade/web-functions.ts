import { Injectable } from '@nestjs/common';

import type { RegistrationScope } from '../../common/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { OperationFunctionsFactory, type OperationFunctions } from './operation-functions.js';
import { PageFunctionsFactory, type PageFunctions } from './page-functions.js';
import { PlaceFunctionsFactory, type PlaceFunctions } from './place-functions.js';

/** Facade functions for everything people and programs can call and see. */
export type WebFunctions = OperationFunctions & PageFunctions & PlaceFunctions;

/** Composes them for one plugin. */
@Injectable()
export class WebFunctionsFactory {
  constructor(
    private readonly operations: OperationFunctionsFactory,
    private readonly pages: PageFunctionsFactory,
    private readonly places: PlaceFunctionsFactory,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): WebFunctions {
    return {
      ...this.operations.functionsFor(plugin, registrations),
      ...this.pages.functionsFor(plugin, registrations),
      ...this.places.functionsFor(plugin.slug, registrations),
    };
  }
}
