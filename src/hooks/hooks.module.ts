import { Global, Module } from '@nestjs/common';

import { HookRegistry } from './hook-registry.js';

/** Gives every module the one {@link HookRegistry} of the process. */
@Global()
@Module({ providers: [HookRegistry], exports: [HookRegistry] })
export class HooksModule {}
