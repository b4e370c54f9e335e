import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { EACH_ITS_OWN, isRateClass, rateOf } from '../auth/index.js';
import { controllerHandlers } from '../common/index.js';

/** Fails the start if a handler of a controller declares no rate class. */
@Injectable()
export class RateCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { controller, name, handler } of controllerHandlers(this.discovery, this.scanner)) {
      const rate = rateOf(handler, controller);
      if (rate === EACH_ITS_OWN || isRateClass(rate)) continue;
      throw new Error(`The handler at ${controller.name}.${name} does not declare its rate class.`);
    }
  }
}
