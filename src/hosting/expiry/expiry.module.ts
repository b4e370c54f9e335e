import { Global, Module } from '@nestjs/common';

import { ExpiryNotices } from '../maintenance/index.js';

import { ExpiryRepository } from './expiry-repository.js';
import { ExpiredHostDeletion } from './expired-host-deletion.js';
import { ExpiryDeletionNotices } from './expiry-deletion-notices.js';
import { ExpiryDeletions } from './expiry-deletions.js';
import { ExpiryForecast } from './expiry-forecast.js';
import { ExpiryReminders } from './expiry-reminders.js';
import { ExpiryOperations } from './expiry.operations.js';
import { HeldDeletionOperations } from './held-deletion.operations.js';

const PORT = { provide: ExpiryNotices, useExisting: ExpiryReminders };

/**
 * Expiry of hosts. Separate from the rest of hosting, which works without notices and pages and notifies owners through the port provided
 * here.
 */
@Global()
@Module({
  providers: [
    ...[ExpiryRepository, ExpiryDeletions, ExpiredHostDeletion, ExpiryDeletionNotices],
    ...[ExpiryForecast, ExpiryReminders, ExpiryOperations, HeldDeletionOperations],
    PORT,
  ],
  exports: [ExpiryForecast, ExpiryNotices],
})
export class ExpiryModule {}
