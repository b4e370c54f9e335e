import { Injectable } from '@nestjs/common';

import { MonitorError } from '../errors.js';
import { MonitorProbe, placeOf } from '../checks/index.js';

/** How long its answer is waited for, in milliseconds. */
const TIMEOUT_MS = 5_000;
const FIELD = 'neutral';

/** Something outside that all but always answers: whoever cannot reach it is likely off the network himself. */
@Injectable()
export class NeutralTarget {
  constructor(private readonly probe: MonitorProbe) {}

  /** Whether it answers, with whatever status. @param target `host:port`, or an address with http or https */
  async answers(target: string): Promise<boolean> {
    const place = placeOf(target);
    const answer = place
      ? await this.probe.tcp(place.host, place.port, TIMEOUT_MS)
      : await this.probe.http({ url: target, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS, maxBytes: 1_024 });
    return !('problem' in answer);
  }

  /** @throws MonitorError naming the field for what is no such target, or does not answer right now */
  async check(target: string): Promise<void> {
    const isUrl = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
    if (!isUrl && !placeOf(target)) throw new MonitorError('FIELD_WRONG', {}, { [FIELD]: 'monitor.field.neutral' });
    if (!(await this.answers(target))) throw new MonitorError('FIELD_WRONG', {}, { [FIELD]: 'monitor.field.neutral_silent' });
  }
}
