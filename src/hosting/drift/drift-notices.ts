import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import type { HostingNode, NodeDifference } from '../entities/index.js';

/** Sites that are named; how many there are is told besides. */
const NAMED = 5;

registerNotice({
  kind: 'system',
  title: { key: 'hosting.drift_title', params: { server: 'local' } },
  texts: [{ key: 'hosting.drift_text', params: { n: 3, names: 'example.com, example.net' } }],
});

/** Identity of a difference for notices. */
export type ToldDifference = Pick<NodeDifference, 'kind' | 'siteName'>;

/**
 * Tells administrators that a server does not have what the panel says: once for each thing that is different, until it
 * was repaired or is so no more.
 */
@Injectable()
export class DriftNotices {
  constructor(
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /**
   * Joins the transaction in which the comparison is written down.
   *
   * @param before what the comparison before found and nobody repaired
   */
  async tell(node: HostingNode, before: readonly ToldDifference[], found: readonly ToldDifference[]): Promise<void> {
    const known = new Set(before.map(keyOf));
    // Sites no account knows may be there for good: on a server with others' sites they are none of ours.
    const fresh = found.filter((one) => one.kind !== 'unknown' && !known.has(keyOf(one)));
    if (fresh.length === 0) return;
    const sites = [...new Set(fresh.map(({ siteName }) => siteName))];
    const names = `${sites.slice(0, NAMED).join(', ')}${sites.length > NAMED ? ' …' : ''}`;
    await this.notices.tell({
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

const keyOf = ({ kind, siteName }: ToldDifference): string => `${kind} ${siteName}`;
