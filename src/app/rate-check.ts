import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { EACH_ITS_OWN, isRateClass, rateOf } from '../auth/index.js';

/** A handler of a controller that declares no rate class does not boot. */
@Injectable()
export class RateCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.check(metatype);
    }
  }

  private check(controller: object): void {
    const prototype = (controller as { prototype: Record<string, object> }).prototype;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name]!;
      if (Reflect.getMetadata(PATH_METADATA, handler) === undefined) continue;
      const rate = rateOf(handler, controller);
      if (rate === EACH_ITS_OWN || isRateClass(rate)) continue;
      throw new Error(`The handler at ${(controller as { name: string }).name}.${name} does not declare its rate class.`);
    }
  }
}
