import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { TaskQueue } from '../tasks/index.js';
import type { ForbiddenScanPayload } from '../wire/index.js';

import { ScanSettings } from './scan-settings.js';

/** Switches scanning on for everybody, once. */
@Injectable()
export class ScanStarter {
  private readonly switchOn;
  private readonly enabledNodes;

  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly scanSettings: ScanSettings,
    private readonly tasks: TaskQueue,
  ) {
    this.switchOn = database.statement(
      'UPDATE {SiteConfig} SET {SiteConfig.scanEnabled} = 1 WHERE {SiteConfig.id} = 1 AND {SiteConfig.scanEnabled} = 0',
    );
    this.enabledNodes = database.statement<{ nodeId: string }>(
      'SELECT {AgentNode.nodeId} AS nodeId FROM {AgentNode} WHERE {AgentNode.enabled} = 1 ORDER BY {AgentNode.id}',
    );
  }

  /**
   * Switches scanning on. Whoever of several is first gives every enabled node a full scan, if there are words to look for.
   *
   * @returns how many nodes were given one
   */
  async enable(): Promise<number> {
    const keywords = this.scanSettings.keywords();
    const nodes = await this.database.transaction(async () => {
      const { affected } = await this.switchOn.run();
      if (affected === 0 || keywords.length === 0) return 0;
      const nodeIds = (await this.enabledNodes.all()).map((row) => row.nodeId);
      await this.tasks.add(nodeIds, 'forbidden_scan', this.payload(keywords));
      return nodeIds.length;
    });
    // Every process reads the setting again.
    await this.settings.change({ scanEnabled: true });
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
