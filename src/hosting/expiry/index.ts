export { ExpiryRepository } from './expiry-repository.js';
export { ExpiryDeletions } from './expiry-deletions.js';
export { ExpiryForecast, type HostEnd, MOST_LOOKED_AT } from './expiry-forecast.js';
export { DAYS_AHEAD, MOST_DAYS_AHEAD } from './expiry.operations.js';
export { ExpiryReminders } from './expiry-reminders.js';
export { expiryForm } from './expiry-settings.js';
export { ExpiryModule } from './expiry.module.js';
