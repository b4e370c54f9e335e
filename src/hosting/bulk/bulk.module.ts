import { Module } from '@nestjs/common';

import { PauseNotices } from '../operations/index.js';

import { BulkActions } from './bulk-actions.js';
import { HostBulk } from './host-bulk.js';
import { HostBulkOperations } from './host-bulk.operations.js';

/** Bulk actions, in a module of their own because the rest of hosting works without a queue. */
@Module({ providers: [HostBulk, BulkActions, PauseNotices, HostBulkOperations], exports: [HostBulk] })
export class BulkModule {}
