import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { ConfigModule } from '../config/index.js';
import { DatabaseModule } from '../database/index.js';
import { DeadLetters, EventDeliveries, EventOutbox } from '../hooks/index.js';
import { BackgroundQueue } from '../jobs/index.js';
import { Notices } from '../notify/index.js';
import { AuditLog, OutsideLog } from '../operations/index.js';
import { ensureSiteConfig, SiteSettings } from '../site/index.js';
import { AuthModule } from '../auth/index.js';

import { Dispatch, Orders, PAY_FILTERS, PaymentModule, PaymentRegistry, Settlement } from './index.js';

@Global()
@Module({
  imports: [AuthModule],
  providers: [
    { provide: BackgroundQueue, useValue: {} },
    { provide: DeadLetters, useValue: {} },
    EventDeliveries,
    EventOutbox,
    AuditLog,
    OutsideLog,
    SiteSettings,
    { provide: Notices, useValue: { tell: () => 0 } },
  ],
  exports: [BackgroundQueue, DeadLetters, EventDeliveries, EventOutbox, AuditLog, OutsideLog, SiteSettings, Notices],
})
class GroundModule {}

@Global()
@Module({
  providers: [{ provide: PAY_FILTERS, useValue: { applyFilters: () => 'asked' } }],
  exports: [PAY_FILTERS],
})
class FilterModule {}

it.each([
  ['without listeners', [], '/built'],
  ['with the filters another module provides', [FilterModule], { html: 'asked' }],
])('the module takes an order from gateway to settlement, %s', async (_case, filters, shown) => {
  const { database, place, dispose } = await createTestDatabase();
  const app = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(place.config), DatabaseModule.forRoot(database), AuthModule, GroundModule, PaymentModule, ...filters],
  }).compile();
  await ensureSiteConfig(database, place.config);
  await app.get(SiteSettings).start();
  app.get(PaymentRegistry).register('bank', { name: 'Bank', methods: { wire: 'Wire' }, build: () => '/built' }, 'bank');
  const order = await app.get(Orders).create({ user: 'u', scene: 's', name: 'n', amount: 1, type: 'bank__wire' });
  expect(await app.get(Dispatch).dispatch(order.id, 'bank__wire')).toEqual(shown);
  expect(await app.get(Settlement).settle(order.number, 'bank')).toMatchObject({ ok: true, already: false });
  await app.close();
  await dispose();
});
