import { Injectable } from '@nestjs/common';

import { HostingService } from '../../hosting/index.js';
import type { EnforceableLimit } from '../../hosting/index.js';
import type { MonitorTask } from '../entities/index.js';

import type { CheckKind } from './check-kind.js';
import { failed, passed, type CheckOutcome } from './outcome.js';

/** Resources of a host that can be monitored. */
export const RESOURCES = ['web', 'sql', 'traffic'] as const;

/** One of {@link RESOURCES}. */
export type Resource = (typeof RESOURCES)[number];

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 ** 3;

/** Limit that is not available where the server does not measure this resource. */
const LIMIT: Readonly<Record<Resource, EnforceableLimit | null>> = { web: null, sql: 'databaseMb', traffic: 'trafficGb' };

/** Compares the last measured usage of a host with its limits. */
@Injectable()
export class ResourceCheck implements CheckKind {
  constructor(private readonly hosting: HostingService) {}

  async check({ user, resource, resourceThreshold }: MonitorTask): Promise<CheckOutcome> {
    const host = await this.hosting.get(user);
    if (!host) return failed({ key: 'monitor.problem.no_usage' });
    if (!(await this.isMeasured(host.node, resource as Resource))) return failed({ key: 'monitor.problem.not_measured' });
    const used = await this.hosting.usage(host.id);
    const [bytes, most] =
      resource === 'web'
        ? [used.webBytes, host.webMb * MEGABYTE]
        : resource === 'sql'
          ? [used.databaseBytes, host.databaseMb * MEGABYTE]
          : [used.trafficBytes, host.trafficGb * GIGABYTE];
    const percent = most > 0 ? Math.round((bytes / most) * 1_000) / 10 : 0;
    if (percent <= resourceThreshold) return passed(null, Math.round(percent));
    return failed(
      { key: 'monitor.problem.usage', params: { what: { key: `monitor.resource.${resource}` }, percent, threshold: resourceThreshold } },
      null,
      Math.round(percent),
    );
  }

  /** Whether the server of a host measures a resource. @param node code of the server */
  async isMeasured(node: string, resource: Resource): Promise<boolean> {
    const limit = LIMIT[resource];
    return limit === null || !(await this.hosting.unenforced(node)).includes(limit);
  }
}
