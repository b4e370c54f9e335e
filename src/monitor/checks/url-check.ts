import { Injectable } from '@nestjs/common';

import { Secrets } from '../../config/index.js';
import type { MonitorTask } from '../entities/index.js';

import { since, type CheckKind } from './check-kind.js';
import { MonitorProbe } from './monitor-probe.js';
import { MAX_BODY_BYTES, failed, passed, unanswered, type CheckOutcome } from './outcome.js';
import { matchesContent, matchesStatus } from './rules.js';
import { openHeaders } from './sealed-headers.js';

/** Requests a URL and compares the response. */
@Injectable()
export class UrlCheck implements CheckKind {
  constructor(
    private readonly probe: MonitorProbe,
    private readonly secrets: Secrets,
  ) {}

  async check(task: MonitorTask): Promise<CheckOutcome> {
    const start = performance.now();
    const answer = await this.probe.http({
      url: task.url,
      method: task.method as 'GET' | 'HEAD' | 'POST',
      headers: openHeaders(this.secrets, task.headers),
      timeoutMs: task.timeoutSeconds * 1_000,
      maxBytes: MAX_BODY_BYTES,
    });
    const ms = since(start);
    if ('problem' in answer) return unanswered(answer.problem, ms);
    const { status, body } = answer;
    if (!matchesStatus(task.statusRule, task.statusValue, status))
      return failed({ key: 'monitor.problem.status', params: { code: status } }, ms, status, body);
    if (!matchesContent(task.contentRule, task.contentValue ?? '', body))
      return failed({ key: 'monitor.problem.content' }, ms, status, body);
    return passed(ms, status, body);
  }
}
