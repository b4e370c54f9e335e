import { definePlugin, type SvcFacade } from '@svc/sdk';

import { Deliveries, migrations } from './deliveries.js';
import { registerPages } from './pages.js';
import { Sender } from './sender.js';

/** Events that are sent. */
const HOST_EVENTS = ['host.created', 'host.paused', 'host.unpaused', 'host.renewed', 'host.package.changed', 'host.deleted'] as const;
const ORDER_EVENTS = ['order.paid', 'order.closed'] as const;

/** Sends what happens to hosts and orders to one address: written down with the event, sent at once, and again until it arrives. */
export default definePlugin(async (svc) => {
  await svc.db.migrate(migrations);
  const deliveries = new Deliveries(svc.db);
  const sender = new Sender(svc, deliveries);

  svc.svc_register_settings_tab('admin', {
    id: 'webhook',
    title: 'tab',
    order: 60,
    fields: [
      { key: 'enabled', label: 'enabled', type: 'switch', default: false },
      { key: 'url', label: 'url', hint: 'url_hint', type: 'text', placeholder: 'https://example.com/hook' },
      { key: 'secret', label: 'secret', hint: 'secret_hint', type: 'password' },
      { key: 'events', label: 'events', hint: 'events_hint', type: 'text', placeholder: 'host.created, order.paid' },
    ],
  });
  for (const hook of [...HOST_EVENTS, ...ORDER_EVENTS]) svc.svc_add_action(hook, () => tell(svc, sender), 50, { id: 'webhook' });
  svc.svc_add_action('cron', () => sender.sendDue(), 50, { deadlineSeconds: 300 });
  registerPages(svc, deliveries, sender);
});

/** Writes down what the event under way is about; the same event again changes nothing. */
async function tell(svc: SvcFacade, sender: Sender): Promise<void> {
  const event = svc.event();
  if (!event) return;
  const { hook, source, row, idempotencyKey } = event;
  await sender.tell({ event: hook, key: idempotencyKey, payload: { [hook.startsWith('host.') ? 'host' : 'order']: row, ctx: { source } } });
}
