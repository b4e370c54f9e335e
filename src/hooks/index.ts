export * from './events/event.entities.js';
export * from './events/event-outbox.js';
