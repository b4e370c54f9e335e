import { Module } from '@nestjs/common';

import { ShopOperations } from './shop.operations.js';
import { ShopTest } from './shop-test.js';

/** Connecting shops to the provisioning API. */
@Module({ providers: [ShopTest, ShopOperations] })
export class ShopsModule {}
