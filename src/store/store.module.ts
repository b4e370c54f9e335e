import './items/texts.js';
import './texts.js';

import { Module } from '@nestjs/common';

import { StoreIdentities } from './accounts/store-identities.js';
import { StoreSessions } from './accounts/store-sessions.js';
import { StoreTokens } from './accounts/store-tokens.js';
import { KeywordSearch, PlainKeywordSearch } from './finding/keyword-search.js';
import { StoreGuard } from './http/store-access.js';
import { UnknownPathController } from './http/unknown-path.controller.js';
import { DeveloperController } from './items/developer.controller.js';
import { EditRequests } from './items/edit-requests.js';
import { OwnItems } from './items/own-items.js';
import { PackageIntake } from './items/package-intake.js';
import { SlugClaims } from './items/slug-claims.js';
import { STORE_PLACES } from './items/store-places.js';
import { Submissions } from './items/submissions.js';

/** What developers publish. */
const ITEMS = [...STORE_PLACES, EditRequests, OwnItems, PackageIntake, SlugClaims, Submissions, { provide: KeywordSearch, useClass: PlainKeywordSearch }];

/** The store. {@link UnknownPathController} takes what is left under `/api/` and therefore stands last. */
@Module({
  controllers: [DeveloperController, UnknownPathController],
  providers: [StoreGuard, StoreIdentities, StoreSessions, StoreTokens, ...ITEMS],
  exports: [StoreSessions],
})
export class StoreModule {}
