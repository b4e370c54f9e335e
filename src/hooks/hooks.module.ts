import { Global, Module } from '@nestjs/common';

import { EVENT_PROVIDERS } from './events/index.js';
import { HookRegistry } from './hook-registry.js';

/** Provides the process-wide {@link HookRegistry} and the durable events to every module. */
@Global()
@Module({ providers: [HookRegistry, ...EVENT_PROVIDERS], exports: [HookRegistry, ...EVENT_PROVIDERS] })
export class HooksModule {}
