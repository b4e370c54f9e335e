import { Module } from '@nestjs/common';

import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { PanelMetrics } from './metrics/panel-metrics.js';
import { RequestTimes } from './metrics/request-times.js';
import { Readiness } from './readiness.js';
import { WriteProbe } from './write-probe.js';

/** Liveness, readiness and metrics, in every process whatever it runs. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [PanelMetrics, Readiness, RequestTimes, WriteProbe],
  exports: [Readiness, RequestTimes],
})
export class HealthModule {}
