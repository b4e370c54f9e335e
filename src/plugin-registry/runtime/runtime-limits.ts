import { Injectable } from '@nestjs/common';

/** How long a plugin may take, in milliseconds. A provider, so that a panel of its own kind can have others. */
@Injectable()
export class RuntimeLimits {
  /** From the first line of its code to the end of its last `onModuleInit`. */
  activation = 30_000;
  /** How long the start of one plugin holds up that of the next; it goes on in the background. */
  startPatience = 2_000;
  /** How long all starts together hold up the panel's. */
  startTotal = 10_000;
  /** For its calls under way to end, once nothing new reaches it. */
  drain = 5_000;
  /** For its stop callbacks and life-cycle hooks at the end. */
  shutdown = 10_000;
}
