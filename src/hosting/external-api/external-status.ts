import { legacyTime } from '../../common/index.js';
import type { HostingAccount, HostingNode } from '../entities/index.js';
import { NEVER } from '../wire/index.js';

const BYTES_PER_MB = 1024 * 1024;
/** Source of accounts and events that are changed through this API. */
export const API_SOURCE = 'api';

/**
 * Data of `ztcx` about an account. Numbers are integers; `flow_max` is in GB and `flow_used` in bytes, regardless of `unit`, because
 * deployed clients expect that.
 */
export function statusData(account: HostingAccount, node: HostingNode, timezone: string): Record<string, unknown> {
  return {
    /** One of `provisioning` `active` `paused` `terminating` `failed`. */
    state: account.state,
    /** A change is in progress, or its outcome is being checked: the client should query again before acting on `state`. */
    pending: account.claimedUntil !== null,
    user: {
      username: account.username,
      domain: account.siteName,
      qk: String(account.state === 'active'),
      datae: account.expiresOn ?? NEVER,
      sqluser: account.databaseUser ?? '',
      btid: account.siteId,
      created_at: legacyTime(account.createdAt, timezone),
      state: account.state,
      pause_reasons: account.pauseReasons,
      site: account.state === 'active' && !account.siteStopped ? 'running' : 'stopped',
      /** Lets a shop distinguish its own order from that of another caller. */
      qqh: account.openedBy === API_SOURCE ? (account.requestId ?? '') : '',
    },
    quota: {
      web_size_max: account.webQuotaMb,
      web_size_used: Math.ceil(account.webUsedBytes / BYTES_PER_MB),
      sql_size_max: account.databaseQuotaMb,
      sql_size_used: Math.ceil(account.databaseUsedBytes / BYTES_PER_MB),
      flow_max: account.trafficQuotaGb,
      flow_used: account.trafficUsedBytes,
      /** Null: the default of the installation's settings. */
      monitor_max: account.monitorQuota,
      /** Null: the default of the installation's settings. */
      backup_max: account.backupQuota,
      unit: 'MB',
    },
    node: { btip: node.address, ptl: String(node.secure) },
  };
}
