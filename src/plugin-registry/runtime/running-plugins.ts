import { type INestApplicationContext, Injectable } from '@nestjs/common';

import type { PluginPackage } from '../package/manifest.js';
import type { PluginLife } from './plugin-life.js';

/** A plugin that runs in this process. */
export interface RunningPlugin {
  readonly package: PluginPackage;
  readonly life: PluginLife;
  readonly context: INestApplicationContext;
}

/** The plugins that run in this process, by slug, in the order they were started: the runtime keeps it, facades look others up. */
@Injectable()
export class RunningPlugins extends Map<string, RunningPlugin> {}
