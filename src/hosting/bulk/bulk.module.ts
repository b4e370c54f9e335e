import { Module } from '@nestjs/common';

import { PauseNotices } from '../operations/index.js';

import { BulkActions } from './bulk-actions.js';
import { HostBulk } from './host-bulk.js';
import { HostBulkOperations } from './host-bulk.operations.js';

/** Doing the same with many hosts, apart from the rest of hosting, which works without a queue. */
@Module({ providers: [HostBulk, BulkActions, PauseNotices, HostBulkOperations], exports: [HostBulk] })
export class BulkModule {}
