import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import type { MonitorKind, MonitorTask } from '../entities/index.js';

import { CertificateCheck } from './certificate-check.js';
import type { CheckKind } from './check-kind.js';
import { DnsCheck } from './dns-check.js';
import { DomainExpiryCheck } from './domain-expiry-check.js';
import { failed, type CheckOutcome } from './outcome.js';
import { PushCheck } from './push-check.js';
import { ResourceCheck } from './resource-check.js';
import { ServerCheck } from './server-check.js';
import { TcpCheck } from './tcp-check.js';
import { UrlCheck } from './url-check.js';

const log = loggerFor('monitor');

/** Runs checks of every kind. */
@Injectable()
export class Checks {
  private readonly kinds: Readonly<Record<MonitorKind, CheckKind>>;

  constructor(
    url: UrlCheck,
    tcp: TcpCheck,
    dns: DnsCheck,
    cert: CertificateCheck,
    domain: DomainExpiryCheck,
    push: PushCheck,
    resource: ResourceCheck,
    server: ServerCheck,
  ) {
    this.kinds = { url, tcp, dns, cert, domain, push, resource, server };
  }

  /** Runs one check. @returns null while there is no result yet; never rejects */
  async run(task: MonitorTask): Promise<CheckOutcome | null> {
    try {
      const found = await this.kinds[task.type].check(task);
      if (!found || found.unknown || !task.upsideDown) return found;
      return found.ok ? { ...found, ok: false, error: { key: 'monitor.problem.upside_down' } } : { ...found, ok: true, error: null };
    } catch (error) {
      log.error({ err: error, monitor: task.id }, 'a check failed in the panel itself');
      return failed({ key: 'monitor.problem.own', params: { reason: errorMessage(error).slice(0, 100) } });
    }
  }
}
