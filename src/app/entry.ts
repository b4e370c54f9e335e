import type { IncomingMessage, ServerResponse } from 'node:http';

/** A way in that passes by the router. */
export interface Entry {
  /** Answers a request that is plainly its own; false leaves it to the next entry, and at last to the router. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean;
}
