import { legacyDay, legacyTime } from '../../common/index.js';
import { type FormValues, versionOf } from '../../http/index.js';
import type { EnforceableLimit, UnusedNodeField } from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';

import { fieldsOf } from './host-row.js';

/**
 * A node as rows of `SVC_bt` look on the wire: every value text. Of its secrets only the calling key (`dymy`) is there;
 * `mysz` says whether a panel key is stored. Source: docs/panel-api.md "Nodes".
 *
 * @param callingKey of the node, opened
 * @param without limits of hosts that have no effect there: `bzx`; `bzxjd` are such fields of the node itself
 * @param now the key before the present one is only told of (`jmsj`) while it works
 */
export function nodeRow(
  node: HostingNode,
  callingKey: string,
  timezone: string,
  now: Date,
  without: { readonly limits: readonly EnforceableLimit[]; readonly fields: readonly UnusedNodeField[] },
): Record<NodeColumn, string> {
  const { previousUntil } = node;
  return {
    id: String(node.id),
    btdh: node.code,
    btip: node.address,
    btdk: String(node.port),
    btos: String(node.system),
    als: node.dnsTarget,
    ftpdz: node.ftpAddress,
    ptl: String(node.secure),
    qk: String(node.enabled),
    rl: String(node.capacity),
    qz: String(node.weight),
    date: legacyDay(node.createdAt, timezone),
    mrbts_php: node.defaultPhp,
    bzx: fieldsOf(without.limits),
    bzxjd: without.fields.join(','),
    driver: node.driver,
    mysz: String(node.sealedPanelKey !== ''),
    dymy: callingKey,
    jmsj: previousUntil && previousUntil > now ? legacyTime(previousUntil, timezone) : '',
    row_version: versionOf(nodeForm(node)),
  };
}

/** Name of a node for lists to choose from. */
export const nodeName = ({ id, code, dnsTarget, enabled }: Pick<HostingNode, 'id' | 'code' | 'dnsTarget' | 'enabled'>) => ({
  id: String(id),
  btdh: code,
  als: dnsTarget,
  qk: String(enabled),
});

/** What `xgjl` sets, by the names of its fields, as the dialog shows it. */
export const nodeForm = (node: HostingNode) =>
  ({
    ip: node.address,
    dk: node.port,
    // With a part of it nobody is told: who sees the hash cannot try out panel keys.
    key: { secret: node.signatureKey + node.sealedPanelKey },
    btos: node.system,
    urlla: node.dnsTarget,
    ftpdz: node.ftpAddress,
    xieyi: node.secure,
    kg: node.enabled,
    rl: node.capacity,
    qz: node.weight,
    cs: { secret: node.signatureKey + (node.driverSettings ?? '') },
  }) satisfies FormValues;

/** Columns of {@link nodeRow}. */
type NodeColumn =
  | 'id'
  | 'btdh'
  | 'btip'
  | 'btdk'
  | 'btos'
  | 'als'
  | 'ftpdz'
  | 'ptl'
  | 'qk'
  | 'rl'
  | 'qz'
  | 'date'
  | 'mrbts_php'
  | 'bzx'
  | 'bzxjd'
  | 'driver'
  | 'mysz'
  | 'dymy'
  | 'jmsj'
  | 'row_version';
