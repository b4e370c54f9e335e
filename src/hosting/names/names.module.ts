import { Module } from '@nestjs/common';

import { NameRepository } from './name-repository.js';
import { NameMaintenance } from './name-maintenance.js';
import { NameProviders } from './name-providers.js';
import { NameSales } from './name-sales.js';
import { NameSellers } from './name-sellers.js';
import { NameRows } from './name-rows.js';
import { OwnNameOperations, SoldNameOperations } from './name.operations.js';
import { Names } from './names.js';
import { ZoneOperations } from './zone.operations.js';
import { Zones } from './zones.js';

/** Names for sale. Separate from the rest of hosting, which binds them like any other domain. */
@Module({
  providers: [
    NameRepository,
    NameProviders,
    NameRows,
    NameSales,
    NameSellers,
    NameMaintenance,
    Names,
    OwnNameOperations,
    SoldNameOperations,
    ZoneOperations,
    Zones,
  ],
  exports: [NameRepository, NameProviders, NameRows, NameSales, NameSellers, Names, Zones],
})
export class NamesModule {}
