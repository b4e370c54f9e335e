import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import type { MonitorTask } from '../entities/index.js';

import { since, type CheckKind } from './check-kind.js';
import { MonitorProbe } from './monitor-probe.js';
import { failed, passed, unanswered, type CheckOutcome } from './outcome.js';
import { parseHostPort } from './targets.js';

const HTTPS = 443;

/** Checks how long a certificate is valid and whether browsers trust it. */
@Injectable()
export class CertificateCheck implements CheckKind {
  constructor(
    private readonly probe: MonitorProbe,
    private readonly clock: Clock,
  ) {}

  async check(task: MonitorTask): Promise<CheckOutcome> {
    const place = parseHostPort(task.url, HTTPS);
    if (!place) return unanswered('url');
    const start = performance.now();
    const answer = await this.probe.tls(place.host, place.port, task.timeoutSeconds * 1_000);
    const ms = since(start);
    if ('problem' in answer) return unanswered(answer.problem, ms);
    const days = Math.floor((answer.validTo.getTime() - this.clock.now().getTime()) / DAY_MS);
    if (days < 0) return failed({ key: 'monitor.problem.cert_over' }, ms, days);
    if (answer.distrust !== '') return failed({ key: 'monitor.problem.cert_distrust', params: { reason: answer.distrust } }, ms, days);
    if (days < task.warnDays) return failed({ key: 'monitor.problem.cert_soon', params: { days } }, ms, days);
    return passed(ms, days);
  }
}
