import type { ServerResponse } from 'node:http';

import { Controller, Get, Res } from '@nestjs/common';

import { Limited, sendBody } from '../../http/index.js';
import { GuardedInText } from '../../operations/index.js';

import { exposition, EXPOSITION_TYPE } from './exposition.js';
import { MetricsGuard } from './metrics.guard.js';
import { PanelMetrics } from './panel-metrics.js';

/** Metrics for Prometheus. Source: docs/operating.md "Metrics". */
@GuardedInText(MetricsGuard)
@Limited('health')
@Controller()
export class MetricsController {
  constructor(private readonly metrics: PanelMetrics) {}

  @Get('metrics')
  async show(@Res() res: ServerResponse): Promise<void> {
    sendBody(res, 200, EXPOSITION_TYPE, exposition(await this.metrics.collect()));
  }
}
