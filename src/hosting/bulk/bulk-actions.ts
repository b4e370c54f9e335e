import { Injectable } from '@nestjs/common';

import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { ADMIN_REASON, PauseNotices } from '../operations/index.js';
import { NEVER } from '../wire/index.js';

import { BulkError } from './bulk-errors.js';
import type { BulkItem, BulkOrder } from './bulk-order.js';

const SOURCE = 'admin';

/** Runs a bulk action on one host, like the single operation. A host already in the wanted state counts as done. */
@Injectable()
export class BulkActions {
  constructor(
    private readonly hosting: HostingService,
    private readonly notices: PauseNotices,
  ) {}

  /** @throws AppError when it cannot be done */
  async do(order: BulkOrder, item: BulkItem): Promise<void> {
    const [id, user] = item;
    if (user === '') throw new HostingError('ACCOUNT_NOT_FOUND');
    switch (order.deed) {
      case 'pause':
        await this.hosting.pause(id, ADMIN_REASON, SOURCE, (host) => this.notify('pause', order, host));
        break;
      case 'resume':
        await this.resume(id, order);
        break;
      case 'renew':
        await this.renew(item);
        break;
      case 'delete':
        await this.delete(id, order.by);
    }
  }

  /** @throws BulkError STILL_PAUSED when other reasons keep the host paused */
  private async resume(id: number, order: BulkOrder): Promise<void> {
    const { pauseReasons } = await this.hosting.unpause(id, ADMIN_REASON, SOURCE, (host) => this.notify('resume', order, host));
    if (pauseReasons.length > 0) throw new BulkError('STILL_PAUSED', { reasons: pauseReasons.join(', ') });
  }

  private async notify(action: 'pause' | 'resume', { tells, why }: BulkOrder, host: { id: number; username: string }): Promise<void> {
    if (tells) await this.notices.send(action, why ?? '', host);
  }

  /** @throws BulkError NEVER_EXPIRES; MOVED_MEANWHILE when the day was changed since the order */
  private async renew([id, , from = '', to = '']: BulkItem): Promise<void> {
    if (from === '' && to === '') throw new BulkError('NEVER_EXPIRES');
    await this.hosting.renew(id, to || null, SOURCE, ({ expiresOn }) => {
      const present = expiresOn ?? '';
      if (present !== from && present !== to) throw new BulkError('MOVED_MEANWHILE', { day: present || NEVER });
    });
  }

  /** A host deleted since the order counts as done. */
  private async delete(id: number, by: string): Promise<void> {
    try {
      await this.hosting.terminate(id, SOURCE, { by });
    } catch (error) {
      if (!(error instanceof HostingError) || error.code !== 'ACCOUNT_NOT_FOUND') throw error;
    }
  }
}
