import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { sameText } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Limited, sendBody, TEXT_TYPE } from '../../operations/index.js';

import { exposition, EXPOSITION_TYPE } from './exposition.js';
import { PanelMetrics } from './panel-metrics.js';

/** A proxy adds one of these: what comes from loopback with them comes from elsewhere. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
const REFUSAL =
  'Send "Authorization: Bearer <METRICS_TOKEN>". Without METRICS_TOKEN in its environment the panel tells its ' +
  'numbers to programs of its own machine only.\n';

/** Numbers for Prometheus. Source: docs/operating.md "Metrics". */
@Limited('health')
@Controller()
export class MetricsController {
  constructor(
    private readonly config: AppConfig,
    private readonly metrics: PanelMetrics,
  ) {}

  @Get('metrics')
  async show(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    if (!this.admits(req)) return sendBody(res, 403, TEXT_TYPE, REFUSAL);
    sendBody(res, 200, EXPOSITION_TYPE, exposition(await this.metrics.collect()));
  }

  private admits({ headers, socket }: IncomingMessage): boolean {
    const { metricsToken } = this.config;
    if (metricsToken !== null) return sameText(/^Bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '', metricsToken);
    const { remoteAddress = '' } = socket;
    return (
      ipaddr.isValid(remoteAddress) &&
      ipaddr.process(remoteAddress).range() === 'loopback' &&
      FORWARDED.every((name) => headers[name] === undefined)
    );
  }
}
