export * from './events/event-outbox.js';
