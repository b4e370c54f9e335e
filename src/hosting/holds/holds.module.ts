import { Module } from '@nestjs/common';

import { HoldOperations } from './hold.operations.js';

/** Holding hosts, apart from the rest of hosting, which works without notices. */
@Module({ providers: [HoldOperations] })
export class HoldsModule {}
