import { Global, Module } from '@nestjs/common';

import { EVENT_PROVIDERS } from './events/index.js';
import { HookRegistry } from './hook-registry.js';

/** Gives every module the one {@link HookRegistry} of the process, and the durable events. */
@Global()
@Module({ providers: [HookRegistry, ...EVENT_PROVIDERS], exports: [HookRegistry, ...EVENT_PROVIDERS] })
export class HooksModule {}
