import { Module } from '@nestjs/common';

import { ExpiryRepository } from './expiry-repository.js';
import { ExpiryDeletions } from './expiry-deletions.js';
import { ExpiryForecast } from './expiry-forecast.js';
import { ExpiryReminders } from './expiry-reminders.js';
import { ExpiryOperations } from './expiry.operations.js';
import { HeldDeletionOperations } from './held-deletion.operations.js';

/** The end of hosts, apart from the rest of hosting, which works without notices and pages. */
@Module({
  providers: [ExpiryRepository, ExpiryDeletions, ExpiryForecast, ExpiryReminders, ExpiryOperations, HeldDeletionOperations],
  exports: [ExpiryForecast],
})
export class ExpiryModule {}
