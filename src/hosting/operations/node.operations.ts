import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { ListInput, Operation, Page } from '../../operations/index.js';
import { dayIn } from '../accounts/calendar.js';
import { NodesService } from '../nodes/nodes.service.js';
import { callingKey } from '../wire/host-row.js';

/** The administrators' operations on nodes. */
@Injectable()
export class NodeOperations {
  constructor(
    private readonly nodes: NodesService,
    private readonly config: AppConfig,
  ) {}

  /** `dymy` is the key callers send as `svc_keye`; no other secret of a node leaves the server. */
  @Operation({ side: 'admin', gn: 'listbt', auth: 'admin', input: ListInput, audit: null })
  async listNodes(input: ListInput): Promise<Page> {
    const [nodes, total] = await this.nodes.page(input.page, input.limit);
    return new Page(
      total,
      nodes.map((node) => ({
        id: String(node.id),
        btdh: node.code,
        btip: node.address,
        btdk: String(node.port),
        btos: String(node.system),
        als: node.dnsTarget,
        ptl: String(node.secure),
        qk: String(node.enabled),
        date: dayIn(this.config.timezone, node.createdAt),
        dymy: callingKey(node),
      })),
    );
  }
}
