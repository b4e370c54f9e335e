import { Injectable } from '@nestjs/common';

import { AgentNode } from '../../agents/index.js';
import { Database } from '../../database/index.js';
import { HostingService } from '../../hosting/index.js';
import { MonitorProbe, ResourceCheck, hostOfTarget, type Resource } from '../checks/index.js';
import { MonitorError } from '../errors.js';

import type { MonitorValues } from './monitor-values.js';

/** Decides which targets monitors may check. */
@Injectable()
export class MonitorTargets {
  constructor(
    private readonly database: Database,
    private readonly hosting: HostingService,
    private readonly resources: ResourceCheck,
    private readonly probe: MonitorProbe,
  ) {}

  /**
   * Checks what the owner of a monitor may have checked.
   *
   * @param owner username of its account; empty for a monitor of the administrators
   * @throws MonitorError FIELD_WRONG or URL_REFUSED naming the field
   */
  async check({ type, resource, url }: MonitorValues, owner: string): Promise<void> {
    if (type === 'server') {
      const isThere = owner === '' && (await this.database.repository(AgentNode).existsBy({ nodeId: url }));
      if (owner !== '') throw new MonitorError('FIELD_WRONG', {}, { task_type: 'monitor.field.admin_only' });
      if (!isThere) throw new MonitorError('FIELD_WRONG', {}, { url: 'monitor.field.agent' });
    }
    const host = hostOfTarget(type, url);
    if (host !== null && (await this.probe.isInternal(host))) throw new MonitorError('URL_REFUSED', {}, { url: 'monitor.url_refused' });
    if (type !== 'resource') return;
    const account = owner === '' ? null : await this.hosting.get(owner);
    if (!account) throw new MonitorError('FIELD_WRONG', {}, { task_type: 'monitor.field.host_only' });
    if (!(await this.resources.isMeasured(account.node, resource as Resource)))
      throw new MonitorError('FIELD_WRONG', {}, { resource_type: 'monitor.problem.not_measured' });
  }
}
