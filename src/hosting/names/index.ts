import './texts.js';

export { NameRepository } from './name-repository.js';
export { type NameDns, NameProviders } from './name-providers.js';
export { NameSales, type WantedName } from './name-sales.js';
export { NameSellers } from './name-sellers.js';
export { NameRows } from './name-rows.js';
export { NamePages } from './name.pages.js';
export { Names, ownerOf } from './names.js';
export { NamesModule } from './names.module.js';
export { MAX_ZONES, DEFAULT_TERMS, Zones, type ZoneTerms } from './zones.js';
