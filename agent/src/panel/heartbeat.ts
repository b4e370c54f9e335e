import os from 'node:os';

import type { HeartbeatRequest } from '../../../src/agents/wire/node-api.js';

import type { Config } from '../config/config.js';
import { Disks } from '../disks.js';
import type { Log } from '../log.js';
import { AGENT_VERSION } from '../version.js';
import type { PanelClient } from './panel-client.js';
import { accepted, skewText } from './refusals.js';
import { SIGNATURE_WINDOW_SECONDS } from './signature.js';

/** Reports to the panel that the agent runs, its capabilities and the server's load. Logs a warning if the clocks differ. */
export class Heartbeat {
  private skewLoggedAt = 0;
  private readonly disks: Disks;

  constructor(
    private readonly config: Config,
    private readonly client: PanelClient,
    private readonly log: Log,
    private readonly stop: AbortSignal,
    private readonly now: () => number,
  ) {
    this.disks = new Disks(now);
  }

  /** @throws PanelError */
  async send() {
    const { config } = this;
    const answer = await this.client.call(
      'heartbeat',
      {
        node_id: config.nodeId,
        node_name: config.nodeName,
        version: AGENT_VERSION,
        capabilities: config.capabilities,
        status: 'online',
        load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
        disks: await this.disks.measure(),
      } satisfies HeartbeatRequest & { node_id: string },
      this.stop,
    );
    this.logSkew();
    accepted(answer, this.client);
  }

  private logSkew() {
    const skew = this.client.clockSkewSeconds ?? 0;
    if (Math.abs(skew) < 60 || this.now() - this.skewLoggedAt < 3_600_000) return;
    this.skewLoggedAt = this.now();
    const text = skewText(skew);
    if (Math.abs(skew) > SIGNATURE_WINDOW_SECONDS) this.log.error(text);
    else this.log.warning(text);
  }
}
