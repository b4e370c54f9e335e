import { Module } from '@nestjs/common';

import { ExpiryBook } from './expiry-book.js';
import { ExpiryDeletions } from './expiry-deletions.js';
import { ExpiryForecast } from './expiry-forecast.js';
import { ExpiryReminders } from './expiry-reminders.js';
import { ExpiryOperations } from './expiry.operations.js';
import { HeldDeletionOperations } from './held-deletion.operations.js';

/** The end of hosts, apart from the rest of hosting, which works without notices and pages. */
@Module({
  providers: [ExpiryBook, ExpiryDeletions, ExpiryForecast, ExpiryReminders, ExpiryOperations, HeldDeletionOperations],
  exports: [ExpiryForecast],
})
export class ExpiryModule {}
