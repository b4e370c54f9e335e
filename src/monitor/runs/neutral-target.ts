import { Injectable } from '@nestjs/common';

import { MonitorError } from '../errors.js';
import { MonitorProbe, parseHostPort } from '../checks/index.js';

/** Timeout in milliseconds. */
const TIMEOUT_MS = 5_000;
const FIELD = 'neutral';

/** An external target that is almost always reachable: if it is not, the panel itself is probably offline. */
@Injectable()
export class NeutralTarget {
  constructor(private readonly probe: MonitorProbe) {}

  /** Whether it responds, with any status. @param target `host:port`, or an HTTP(S) URL */
  async answers(target: string): Promise<boolean> {
    const address = parseHostPort(target);
    const answer = address
      ? await this.probe.tcp(address.host, address.port, TIMEOUT_MS)
      : await this.probe.http({ url: target, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS, maxBytes: 1_024 });
    return !('problem' in answer);
  }

  /** @throws MonitorError naming the field if the target is invalid or does not respond */
  async check(target: string): Promise<void> {
    const isUrl = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
    if (!isUrl && !parseHostPort(target)) throw new MonitorError('FIELD_WRONG', {}, { [FIELD]: 'monitor.field.neutral' });
    if (!(await this.answers(target))) throw new MonitorError('FIELD_WRONG', {}, { [FIELD]: 'monitor.field.neutral_silent' });
  }
}
