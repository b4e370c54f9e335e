import { Injectable } from '@nestjs/common';

/** Time limits of plugins, in milliseconds. Injectable, so that they can be replaced. */
@Injectable()
export class RuntimeLimits {
  /** From the first line of its code to the end of its last `onModuleInit`. */
  activation = 30_000;
  /** How long the start of one plugin delays the next; it then continues in the background. */
  startPatience = 2_000;
  /** How long all starts together delay the panel's. */
  startTotal = 10_000;
  /** How long running calls may take after the plugin became unreachable. */
  drain = 5_000;
  /** How long stop callbacks and lifecycle hooks may take at the end. */
  shutdown = 10_000;
}
