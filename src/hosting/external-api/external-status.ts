import { legacyTime } from '../../common/index.js';
import type { HostingAccount, HostingNode } from '../entities/index.js';
import { NEVER } from '../wire/index.js';

const BYTES_PER_MB = 1024 * 1024;
/** Source that accounts and events name for changes through this API. */
export const API_SOURCE = 'api';

/** What `ztcx` says of an account. Numbers are whole; `flow_max` is GB and `flow_used` bytes, whatever `unit` says: clients know it so. */
export function statusData(account: HostingAccount, node: HostingNode, timezone: string): Record<string, unknown> {
  return {
    /** `provisioning` `active` `paused` `terminating` `failed`. */
    state: account.state,
    /** A change is under way, or its outcome is being checked: ask again before acting on `state`. */
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
      /** So that a shop tells its own order from somebody else's. */
      qqh: account.openedBy === API_SOURCE ? (account.requestId ?? '') : '',
    },
    quota: {
      web_size_max: account.webQuotaMb,
      web_size_used: Math.ceil(account.webUsedBytes / BYTES_PER_MB),
      sql_size_max: account.databaseQuotaMb,
      sql_size_used: Math.ceil(account.databaseUsedBytes / BYTES_PER_MB),
      flow_max: account.trafficQuotaGb,
      flow_used: account.trafficUsedBytes,
      /** Null: as many as the settings of the installation say. */
      monitor_max: account.monitorQuota,
      /** Null: as many as the settings of the installation say. */
      backup_max: account.backupQuota,
      unit: 'MB',
    },
    node: { btip: node.address, ptl: String(node.secure) },
  };
}
