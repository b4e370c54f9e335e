import type { LoggerService } from '@nestjs/common';

import { CORE_OWNER, currentOwner, loggerFor } from '../common/index.js';

const log = loggerFor('nest');

/**
 * Writes Nest's messages to our log. Its start-up messages about modules and routes are of no use to an operator and are logged at debug
 * level.
 */
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

/** Returns the plugin in whose lifecycle the message arose, if any: Nest catches errors of a plugin's `onModuleDestroy`. */
function culprit(): { plugin?: string } {
  const owner = currentOwner();
  return owner === CORE_OWNER ? {} : { plugin: owner };
}
