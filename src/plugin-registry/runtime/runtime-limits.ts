import { Injectable } from '@nestjs/common';

/** How long a plugin may take, in milliseconds. A provider, so that a panel of its own kind can have others. */
@Injectable()
export class RuntimeLimits {
  /** From the first line of its code to the end of its last `onModuleInit`. */
  activation = 30_000;
  /** For its calls under way to end, once nothing new reaches it. */
  drain = 5_000;
  /** For its stop callbacks and life-cycle hooks at the end. */
  shutdown = 10_000;
}
