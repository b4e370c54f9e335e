import { legacyDay, legacyTime } from '../../common/index.js';
import { type FormValues, versionOf } from '../../http/index.js';
import type { EnforceableLimit, UnusedNodeField } from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';

import { fieldsOf } from './host-row.js';

/**
 * Converts a node to a row of `SVC_bt` on the wire: every value is text. The only secret included is the calling key (`dymy`); `mysz` says
 * whether a panel key is stored. Source: docs/panel-api.md "Nodes".
 *
 * @param callingKey of the node, decrypted
 * @param without limits of hosts that have no effect there (`bzx`) and unused fields of the node (`bzxjd`)
 * @param now decides whether the previous key is still valid, and `jmsj` thus included
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

/** Name of a node in lists to choose from. */
export const nodeName = ({ id, code, dnsTarget, enabled }: Pick<HostingNode, 'id' | 'code' | 'dnsTarget' | 'enabled'>) => ({
  id: String(id),
  btdh: code,
  als: dnsTarget,
  qk: String(enabled),
});

/** Values of the form `xgjl`, by field name. */
export const nodeForm = (node: HostingNode) =>
  ({
    ip: node.address,
    dk: node.port,
    // Combined with another secret, so that the hash cannot be used to test guesses of panel keys.
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
