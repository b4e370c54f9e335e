import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

const RECENT_MS = 30 * DAY_MS;
/** Maximum log entries read, and maximum addresses returned. */
const MAX_LOG_ENTRIES = 2_000;
const MAX_ADDRESSES = 20;

/** Callers of the provisioning API, whose modules need the new key after it is changed. */
@Injectable()
export class ApiCallers {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the addresses that used valid keys in the last 30 days, the latest first. */
  async recent(): Promise<string[]> {
    // Excludes entries of wrong keys, whose summary begins with the key of the response text.
    const rows = await this.database
      .statement<{ ip: string }>(
        `SELECT {OperationLog.ip} AS ip FROM {OperationLog} WHERE {OperationLog.category} = 'api.php' AND {OperationLog.createdAt} > ?
          AND {OperationLog.summary} NOT LIKE 'api!_%' ESCAPE '!' ORDER BY {OperationLog.id} DESC LIMIT ${MAX_LOG_ENTRIES}`,
      )
      .all(new Date(this.clock.now().getTime() - RECENT_MS));
    return [...new Set(rows.map(({ ip }) => ip))].slice(0, MAX_ADDRESSES);
  }
}
