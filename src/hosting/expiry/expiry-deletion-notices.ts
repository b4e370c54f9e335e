import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { DeletionCap } from '../accounts/index.js';
import { heldDeletions, listedNames } from '../maintenance/index.js';

import { type EndingHost, ExpiryRepository } from './expiry-repository.js';

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.expiry_deletes_title' },
  texts: [{ key: 'hosting.expiry_deletes', params: { day: '2026-12-31', on: '2027-01-31' } }],
});
registerNotice({
  kind: 'system',
  title: { key: 'hosting.expiry_report_title' },
  texts: [{ key: 'hosting.expiry_report', params: { deleted: 2, names: 'alice01, bob0001' } }],
});

/** Result of one run of the deletions. */
export interface DeletionTally {
  /** Usernames of deleted hosts. */
  readonly deleted: string[];
  /** Hosts whose deletion was held back by the limit of the day. */
  held: number;
}

/** Notices of deletions: to the owner of a host ahead of its deletion, to administrators after a run. */
@Injectable()
export class ExpiryDeletionNotices {
  constructor(
    private readonly database: Database,
    private readonly repository: ExpiryRepository,
    private readonly cap: DeletionCap,
    private readonly notices: Notices,
    private readonly clock: ZonedClock,
  ) {}

  /** Announces to the owner, once, that the host will be deleted. @param on day of the deletion */
  announce(host: EndingHost, on: string): Promise<number> {
    const { id, username, expiresOn: day } = host;
    return this.database.transaction(async () => {
      // While the clock is wrong, the announced day would be wrong, too.
      if ((await this.cap.state()).jump || !(await this.repository.announce(host, on))) return 0;
      return this.notices.send({
        to: { account: username },
        kind: 'expire',
        level: 'danger',
        key: `expire-delete:${id}:${day}:${on}`,
        title: { key: 'hosting.expiry_deletes_title' },
        text: { key: 'hosting.expiry_deletes', params: { day, on } },
        link: '/user/',
      });
    });
  }

  /** Reports to administrators what a run deleted and what it held back. */
  async report({ deleted, held }: DeletionTally): Promise<void> {
    await this.cap.hold('expired', held);
    if (held > 0) await this.notices.send(heldDeletions(await this.cap.state(), this.clock.timezone));
    if (deleted.length === 0) return;
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: 'warning',
      key: `expiry-report:${this.clock.now().getTime()}`,
      title: { key: 'hosting.expiry_report_title' },
      text: { key: 'hosting.expiry_report', params: { deleted: deleted.length, names: listedNames(deleted) } },
      link: '/admin/recycle-bin',
    });
  }
}
