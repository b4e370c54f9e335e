import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { decoratedMethods } from '../../common/index.js';

import { BACKGROUND_TASK_METADATA, type BackgroundTaskDeclaration } from './background-task.js';
import { TaskRegistry } from './task-registry.js';

/** Registers every method with `@BackgroundTask`; an invalid declaration fails the start. */
@Injectable()
export class TaskDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly handlers: TaskRegistry,
  ) {}

  onModuleInit(): void {
    for (const { declaration, method } of decoratedMethods<BackgroundTaskDeclaration>(
      this.discovery,
      this.scanner,
      BACKGROUND_TASK_METADATA,
    )) {
      this.handlers.add({ ...declaration, run: method });
    }
  }
}
