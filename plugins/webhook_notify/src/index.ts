import { Module } from '@nestjs/common';

import { Deliveries } from './deliveries.js';
import { deliveryDatabase } from './delivery-database.js';
import { DeliveryPages } from './delivery-pages.js';
import { PanelEvents } from './panel-events.js';
import { Sender } from './sender.js';
import { WebhookSettings } from './webhook-settings.js';

/** Sends events of hosts and orders to a webhook: queued with the event, sent immediately, and retried until delivered. */
@Module({ providers: [deliveryDatabase, WebhookSettings, Deliveries, Sender, PanelEvents, DeliveryPages] })
export default class WebhookNotifyModule {}
