import { amountText, type OrderRecord, type SvcFacade } from '@svc/sdk';

import type { Proof, Proofs } from './proofs.js';
import type { TransferConfig } from './transfer-config.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR_DAYS = 365;

/** Follows orders with proofs: notifies before and when one is closed, and deletes files that are no longer needed. */
export class ProofMaintenance {
  /** When files were last checked, in this process. */
  private sweptAt = 0;

  constructor(
    private readonly svc: SvcFacade,
    private readonly proofs: Proofs,
    private readonly config: () => Promise<TransferConfig>,
  ) {}

  register(): void {
    const { svc } = this;
    svc.svc_add_action('order.paid', (order: OrderRecord) => this.proofs.ended(order.ddh, Date.now()), 20, { id: 'proofs' });
    svc.svc_add_action('order.closed', (order: OrderRecord) => this.closed(order), 20, { id: 'proofs' });
    svc.svc_add_action('cron', () => this.check());
  }

  private async closed(order: OrderRecord): Promise<void> {
    const proof = await this.proofs.waitingFor(order.ddh);
    await this.svc.db.transaction(async () => {
      await this.proofs.ended(order.ddh, Date.now());
      if (proof) await this.notify(proof, 'closed');
    });
  }

  private async check(): Promise<void> {
    const now = Date.now();
    for (const proof of await this.proofs.waitingUntil(now + DAY)) await this.notify(proof, 'soon');
    if (now - this.sweptAt < HOUR) return;
    this.sweptAt = now;
    const { keepDays } = await this.config();
    await this.proofs.sweep(now - keepDays * DAY, now - YEAR_DAYS * DAY);
  }

  private async notify({ id, order_no, amount }: Proof, what: 'closed' | 'soon'): Promise<void> {
    await this.svc.notices.tell({
      to: 'administrators',
      key: `${what}:${id}`,
      kind: 'payment',
      level: 'danger',
      title: `notice_${what}`,
      text: `notice_${what}_text`,
      params: { number: order_no, rmb: amountText(amount) },
      link: `/admin/plugin.php?p=${this.svc.slug}&page=proof&id=${id}`,
    });
  }
}
