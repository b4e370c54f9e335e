import { Injectable } from '@nestjs/common';

import type { MonitorTask } from '../entities/index.js';

import { since, type CheckKind } from './check-kind.js';
import { MonitorProbe } from './monitor-probe.js';
import { passed, unanswered, type CheckOutcome } from './outcome.js';
import { parseHostPort } from './targets.js';

/** Checks whether a TCP connection can be opened. */
@Injectable()
export class TcpCheck implements CheckKind {
  constructor(private readonly probe: MonitorProbe) {}

  async check(task: MonitorTask): Promise<CheckOutcome> {
    const target = parseHostPort(task.url);
    if (!target) return unanswered('url');
    const start = performance.now();
    const answer = await this.probe.tcp(target.host, target.port, task.timeoutSeconds * 1_000);
    const ms = since(start);
    return 'problem' in answer ? unanswered(answer.problem as never, ms) : passed(ms);
  }
}
