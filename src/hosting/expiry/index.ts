export { ExpiryRepository } from './expiry-repository.js';
export { EXPIRY_RUN_TASK, ExpiryDeletions } from './expiry-deletions.js';
export { type ComingEvent, ExpiryForecast, type HostEnd, MOST_LOOKED_AT } from './expiry-forecast.js';
export { DAYS_AHEAD, ExpiryOperations, MOST_DAYS_AHEAD } from './expiry.operations.js';
export { ExpiryReminders } from './expiry-reminders.js';
export { expiryForm, expiryRules } from './expiry-settings.js';
export { ExpiryModule } from './expiry.module.js';
