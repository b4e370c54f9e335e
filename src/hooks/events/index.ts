import './texts.js';

export { DeadLetters, type DeadLetter } from './dead-letters.js';
export { DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.js';
export { DurableListeners, isWrittenOff, keyOfListener } from './durable-listeners.js';
export * from './errors.js';
export { EventDispatcher } from './event-dispatcher.js';
export { EventDeliveries, type SubjectDelivery } from './event-deliveries.js';
export { EventOutbox } from './event-outbox.js';
export { EventRetention } from './event-retention.js';
export * from './event.entities.js';
export { HeldEvents } from './held-events.js';

import { DeadLetters } from './dead-letters.js';
import { DurableListeners } from './durable-listeners.js';
import { EventDeliveries } from './event-deliveries.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventOutbox } from './event-outbox.js';
import { EventRetention } from './event-retention.js';
import { HeldEvents } from './held-events.js';

/** The providers of durable events, for the hooks module. */
export const EVENT_PROVIDERS = [EventOutbox, DurableListeners, EventDispatcher, DeadLetters, EventDeliveries, EventRetention, HeldEvents];
