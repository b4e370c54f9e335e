import { Module } from '@nestjs/common';

import { HealthOperations } from './health.operations.js';
import { HealthPages } from './health.pages.js';

/** How the installation stands, for who looks after it. */
@Module({ providers: [HealthOperations], controllers: [HealthPages] })
export class HealthPagesModule {}
