import './texts.js';

import { Categories } from './categories.js';
import { FollowedIndex } from './followed-index.js';
import { IndexedRows } from './indexed-rows.js';
import { ItemFinder } from './item-finder.js';
import { UpdateCheck } from './update-check.js';

export { FindingController } from './finding.controller.js';

/** What finding items takes. */
export const FINDING = [Categories, FollowedIndex, IndexedRows, ItemFinder, UpdateCheck];
