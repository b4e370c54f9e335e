import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

const RECENT_MS = 30 * DAY_MS;
/** Lines of the log that are looked at, and addresses that are told. */
const LINES = 2_000;
const MOST = 20;

/** Callers of the provisioning API, whose modules need the new key when it is renewed. */
@Injectable()
export class ApiCallers {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Addresses that showed the right keys in the last 30 days, the last caller first. */
  async recent(): Promise<string[]> {
    // Wrong keys have lines too; theirs begin with the name of the text they were answered with.
    const rows = await this.database
      .statement<{ ip: string }>(
        `SELECT {OperationLog.ip} AS ip FROM {OperationLog} WHERE {OperationLog.category} = 'api.php' AND {OperationLog.createdAt} > ?
          AND {OperationLog.summary} NOT LIKE 'api!_%' ESCAPE '!' ORDER BY {OperationLog.id} DESC LIMIT ${LINES}`,
      )
      .all(new Date(this.clock.now().getTime() - RECENT_MS));
    return [...new Set(rows.map(({ ip }) => ip))].slice(0, MOST);
  }
}
