import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import type { HostingNode, NodeDifference } from '../entities/index.js';

/** Maximum number of sites named in a notice, which also has the total. */
const NAMED = 5;

registerNotice({
  kind: 'system',
  title: { key: 'hosting.drift_title', params: { server: 'local' } },
  texts: [{ key: 'hosting.drift_text', params: { n: 3, names: 'example.com, example.net' } }],
});

/** Identity of a difference for notices. */
export type DifferenceKey = Pick<NodeDifference, 'kind' | 'siteName'>;

/** Notifies administrators of differences between a server and the panel, once per difference until it was repaired or disappeared. */
@Injectable()
export class DriftNotices {
  constructor(
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs in the transaction that stores the comparison.
   *
   * @param before differences of the previous comparison that were not repaired
   */
  async notify(node: HostingNode, before: readonly DifferenceKey[], found: readonly DifferenceKey[]): Promise<void> {
    const known = new Set(before.map(keyOf));
    // Unknown sites may be there permanently, on a server shared with others, so they are not reported.
    const fresh = found.filter((one) => one.kind !== 'unknown' && !known.has(keyOf(one)));
    if (fresh.length === 0) return;
    const sites = [...new Set(fresh.map(({ siteName }) => siteName))];
    const names = `${sites.slice(0, NAMED).join(', ')}${sites.length > NAMED ? ' …' : ''}`;
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: 'warning',
      key: `drift:${node.id}:${this.clock.now().getTime()}`,
      title: { key: 'hosting.drift_title', params: { server: node.code } },
      text: { key: 'hosting.drift_text', params: { n: sites.length, names } },
      link: `/admin/server-drift?id=${node.id}`,
    });
  }
}

const keyOf = ({ kind, siteName }: DifferenceKey): string => `${kind} ${siteName}`;
