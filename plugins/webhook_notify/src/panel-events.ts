import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

import { Sender } from './sender.js';

/** Events to send. */
const HOST_EVENTS = ['host.created', 'host.paused', 'host.unpaused', 'host.renewed', 'host.package.changed', 'host.deleted'] as const;
const ORDER_EVENTS = ['order.paid', 'order.closed'] as const;

/** Listens to events of hosts and orders, and to the scheduler. */
@Injectable()
export class PanelEvents implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Sender) private readonly sender: Sender,
  ) {}

  onModuleInit(): void {
    for (const hook of [...HOST_EVENTS, ...ORDER_EVENTS]) this.svc.svc_add_action(hook, () => this.queueCurrent(), 50, { id: 'webhook' });
    this.svc.svc_add_action('cron', () => this.sender.sendDue(), 50, { deadlineSeconds: 300 });
  }

  /** Queues the current event; a repeated event has no effect. */
  private async queueCurrent(): Promise<void> {
    const event = this.svc.event();
    if (!event) return;
    const { hook, source, row, idempotencyKey: key } = event;
    await this.sender.queue({ event: hook, key, payload: { [hook.startsWith('host.') ? 'host' : 'order']: row, ctx: { source } } });
  }
}
