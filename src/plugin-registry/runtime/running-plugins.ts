import { type INestApplicationContext, Injectable } from '@nestjs/common';

import type { PluginPackage } from '../package/manifest.js';
import type { PluginLife } from './plugin-life.js';

/** A plugin running in this process. */
export interface RunningPlugin {
  readonly package: PluginPackage;
  readonly life: PluginLife;
  readonly context: INestApplicationContext;
}

/** Plugins running in this process, by slug in start order: maintained by the runtime, read by facades. */
@Injectable()
export class RunningPlugins extends Map<string, RunningPlugin> {}
