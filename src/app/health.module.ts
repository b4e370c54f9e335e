import { Module } from '@nestjs/common';

import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { WriteProbe } from './write-probe.js';

/** Whether the process serves, and is ready; in every process, whatever it runs. */
@Module({ controllers: [HealthController], providers: [Readiness, WriteProbe], exports: [Readiness] })
export class HealthModule {}
