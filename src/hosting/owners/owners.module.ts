import { Module } from '@nestjs/common';

import { HostOwnerOperations } from './host-owner.operations.js';

/** Whose hosts are, apart from the rest of hosting, which knows no customers and no passwords. */
@Module({ providers: [HostOwnerOperations] })
export class OwnersModule {}
