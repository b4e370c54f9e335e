import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { TaskQueue } from '../tasks/index.js';
import type { ForbiddenScanPayload } from '../wire/index.js';

import { ScanSettings } from './scan-settings.js';

/** Enables scanning on all nodes. */
@Injectable()
export class ScanStarter {
  private readonly enabledNodes;

  constructor(
    database: Database,
    private readonly settings: SiteSettings,
    private readonly scanSettings: ScanSettings,
    private readonly tasks: TaskQueue,
  ) {
    this.enabledNodes = database.statement<{ nodeId: string }>(
      'SELECT {AgentNode.nodeId} AS nodeId FROM {AgentNode} WHERE {AgentNode.enabled} = 1 ORDER BY {AgentNode.id}',
    );
  }

  /**
   * Enables scanning. The first caller also queues a full scan on every enabled node, if there are keywords.
   *
   * @returns number of nodes with a queued scan
   */
  async enable(): Promise<number> {
    const keywords = this.scanSettings.keywords();
    let nodes = 0;
    await this.settings.changeFrom(async ({ scanEnabled }) => {
      if (scanEnabled) return null;
      const nodeIds = keywords.length === 0 ? [] : (await this.enabledNodes.all()).map((row) => row.nodeId);
      if (nodeIds.length > 0) await this.tasks.add(nodeIds, 'forbidden_scan', this.payload(keywords));
      nodes = nodeIds.length;
      return { scanEnabled: true };
    });
    return nodes;
  }

  private payload(keywords: string[]): ForbiddenScanPayload {
    const site = this.settings.current;
    return {
      site: '',
      root: site.scanRoot,
      keywords,
      max_file_size: site.scanMaxFileBytes,
      max_matches: site.scanMaxMatches,
      scan_changed_only: false,
      scan_mode: 'full',
      auto_trigger: true,
      trigger_reason: 'enabled',
    };
  }
}
