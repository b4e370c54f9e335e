import { Module } from '@nestjs/common';

import { Deliveries } from './deliveries.js';
import { deliveryDatabase } from './delivery-database.js';
import { DeliveryPages } from './delivery-pages.js';
import { PanelEvents } from './panel-events.js';
import { Sender } from './sender.js';
import { WebhookSettings } from './webhook-settings.js';

/** Sends what happens to hosts and orders to one address: written down with the event, sent at once, and again until it arrives. */
@Module({ providers: [deliveryDatabase, WebhookSettings, Deliveries, Sender, PanelEvents, DeliveryPages] })
export default class WebhookNotifyModule {}
