export { ExpiryRepository } from './expiry-repository.js';
export { ExpiredHostDeletion } from './expired-host-deletion.js';
export { ExpiryDeletionNotices } from './expiry-deletion-notices.js';
export { ExpiryDeletions } from './expiry-deletions.js';
export { ExpiryForecast, type HostEnd, MAX_SCANNED } from './expiry-forecast.js';
export { DAYS_AHEAD, MAX_DAYS_AHEAD } from './expiry.operations.js';
export { ExpiryReminders } from './expiry-reminders.js';
export { expiryForm } from './expiry-settings.js';
export { ExpiryModule } from './expiry.module.js';
