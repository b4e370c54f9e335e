import { Module } from '@nestjs/common';

import { PauseNotices } from '../operations/index.js';

import { HoldOperations } from './hold.operations.js';
import { PauseOperations } from './pause.operations.js';

/** Holding and pausing hosts. Separate from the rest of hosting, which works without notices. */
@Module({ providers: [PauseNotices, HoldOperations, PauseOperations] })
export class HoldsModule {}
