import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SessionService } from '../auth/index.js';
import { DurableListeners, EventDispatcher, EventRetention, eventJobs } from '../hooks/index.js';
import { ExpirySweep, hostingJobs, LoginLinks, NodeDriftCheck, UsageSweep } from '../hosting/index.js';
import { JobRegistry } from '../jobs/index.js';
import { OutsideLog } from '../operations/index.js';
import { OldOrders, OrderExpiry } from '../payment/index.js';

/** What the tick does for the panel itself. */
@Injectable()
export class RecurringJobs implements OnModuleInit {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly events: EventDispatcher,
    private readonly listeners: DurableListeners,
    private readonly retention: EventRetention,
    private readonly expiry: ExpirySweep,
    private readonly usage: UsageSweep,
    private readonly drift: NodeDriftCheck,
    private readonly sessions: SessionService,
    private readonly links: LoginLinks,
    private readonly outsideLog: OutsideLog,
    private readonly oldOrders: OldOrders,
    private readonly orders: OrderExpiry,
  ) {}

  onModuleInit(): void {
    for (const job of eventJobs(this.events, this.listeners, this.retention)) this.jobs.add(job);
    for (const job of hostingJobs(this.expiry, this.usage, this.drift)) this.jobs.add(job);
    this.jobs.add({ owner: 'core', name: 'order-expiry', everyMinutes: 5, run: async () => void (await this.orders.closeOld()) });
    this.jobs.add({
      owner: 'core',
      name: 'outside-rows',
      everyMinutes: 60,
      run: async () => {
        await this.outsideLog.removeOld();
        await this.oldOrders.removeClosed();
      },
    });
    this.jobs.add({
      owner: 'core',
      name: 'sign-in-cleanup',
      everyMinutes: 15,
      run: async () => {
        await this.sessions.removeExpired();
        await this.links.removeExpired();
      },
    });
  }
}
