import type { LoggerService } from '@nestjs/common';

import { CORE_OWNER, currentOwner, loggerFor } from '../common/index.js';

const log = loggerFor('nest');

/** Nest's own lines, in our log. What it says of each module and route at start is of no use to an operator. */
export class NestLog implements LoggerService {
  log(message: unknown): void {
    log.debug(String(message));
  }
  error(message: unknown, ...details: unknown[]): void {
    log.error({ details, ...culprit() }, String(message));
  }
  warn(message: unknown): void {
    log.warn(culprit(), String(message));
  }
  debug(message: unknown): void {
    log.debug(String(message));
  }
  verbose(message: unknown): void {
    log.trace(String(message));
  }
  fatal(message: unknown): void {
    log.fatal(String(message));
  }
}

/** The plugin in whose life cycle Nest met it, if it was one's: Nest survives what a plugin's `onModuleDestroy` throws. */
function culprit(): { plugin?: string } {
  const owner = currentOwner();
  return owner === CORE_OWNER ? {} : { plugin: owner };
}
