import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A controller method that handles requests. */
export interface ControllerHandler {
  readonly controller: Type;
  readonly name: string;
  readonly handler: (...args: never[]) => unknown;
}

/** Yields every routed method of every controller. */
export function* controllerHandlers(discovery: DiscoveryService, scanner: MetadataScanner): Generator<ControllerHandler> {
  for (const { metatype } of discovery.getControllers()) {
    if (typeof metatype !== 'function') continue;
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, ControllerHandler['handler']>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name]!;
      if (Reflect.getMetadata(PATH_METADATA, handler) !== undefined) yield { controller, name, handler };
    }
  }
}
