import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { CORE_OWNER, decoratedMethods } from '../common/index.js';

import { JOB_METADATA, type JobDeclaration } from './job.js';
import { JobRegistry } from './job-registry.js';

/** Registers every method with `@Job`; an invalid declaration fails the start. */
@Injectable()
export class JobDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly jobs: JobRegistry,
  ) {}

  onModuleInit(): void {
    for (const { declaration, method } of decoratedMethods<JobDeclaration>(this.discovery, this.scanner, JOB_METADATA)) {
      this.jobs.add({ ...declaration, owner: CORE_OWNER, run: method });
    }
  }
}
