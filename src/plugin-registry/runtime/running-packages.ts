import { Injectable } from '@nestjs/common';

import type { PluginPackage } from '../package/manifest.js';

/** Packages of the plugins that run, by slug: the runtime fills it, facades look others up. */
@Injectable()
export class RunningPackages extends Map<string, PluginPackage> {}
