import type { IncomingMessage, ServerResponse } from 'node:http';

/** A fast path that bypasses the router. */
export interface Entry {
  /** Answers a request that clearly belongs to it; false passes it to the next entry, finally to the router. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean;
}
