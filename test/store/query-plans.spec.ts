import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from '../../src/database/index.js';
import { AuditNames } from '../../src/store/audit/index.js';
import type { FollowedIndex } from '../../src/store/catalog/followed-index.js';
import { IndexedRows } from '../../src/store/catalog/indexed-rows.js';
import { ItemFinder } from '../../src/store/catalog/item-finder.js';
import type { StoreAudit, StoreItem } from '../../src/store/entities/index.js';
import type { StoreCaller } from '../../src/store/call/index.js';
import { BlockedFiles } from '../../src/store/items/blocked-files.js';
import { Categories } from '../../src/store/items/categories.js';
import { CoAuthors } from '../../src/store/items/co-authors.js';
import { EditRequests } from '../../src/store/items/edit-requests.js';
import { OwnItems } from '../../src/store/items/own-items.js';
import { PublicItems } from '../../src/store/items/public-items.js';
import { AdminLists } from '../../src/store/review/admin-lists.js';
import { Moderation } from '../../src/store/review/moderation.js';
import type { ItemIndex } from '../../src/store/search/index.js';
import { UpdateCheck } from '../../src/store/updates/index.js';
import { createTestDatabase, testEngine } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { plansOf, slow } from '../support/query-plans.js';

let database: Database;
let dispose: () => Promise<void>;
let blocked: BlockedFiles;
let edits: EditRequests;
let own: OwnItems;
let admin: AdminLists;
let moderation: Moderation;
let items: PublicItems;
const clock = new ManualClock();
const unused = {} as never;
const author = { id: 1 } as StoreCaller;
const item = { id: 1, status: 'approved' } as StoreItem;
const slice = { page: 1, pageSize: 20, offset: 0 };
const plans = (work: () => Promise<unknown>): Promise<string[]> => plansOf(database, work);
/** Missing rows are queried as well. */
const missing = async (work: Promise<unknown>): Promise<void> => expect(work).rejects.toThrow();

describe.runIf(testEngine === 'sqlite')('the query plans of the store’s reads', () => {
  beforeAll(async () => {
    ({ database, dispose } = await createTestDatabase());
    edits = new EditRequests(database, clock);
    blocked = new BlockedFiles(database, clock);
    const coAuthors = new CoAuthors(database, clock);
    own = new OwnItems(database, edits, blocked, coAuthors, clock);
    admin = new AdminLists(database, edits);
    moderation = new Moderation(database, unused, clock);
    items = new PublicItems(database, coAuthors);
  });
  afterAll(() => dispose());

  it('read the items of a page by id', async () => {
    const found: Pick<ItemIndex, 'find'> = { find: async () => ({ ids: [1, 2, 3], total: 3 }) };
    const finder = new ItemFinder(database, { current: async () => found } as unknown as FollowedIndex);
    expect(await plans(() => finder.find({ sort: 'newest', offset: 0, limit: 12 }))).toEqual([
      'SEARCH SVC_store_item USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  });

  it('find an item by its slug, and its versions by the item', async () => {
    expect(await plans(() => missing(items.require({ type: 'plugin', slugKey: 'x' }, null)))).toEqual([
      expect.stringMatching(/^SEARCH .*\(type=\? AND slug_key=\?\)$/),
    ]);
    expect(await plans(() => items.versions(item))).toEqual([expect.stringMatching(/^SEARCH .*\(item_id=\? AND status=\?\)$/)]);
    expect(await plans(() => missing(items.requireVersion(item, '1.0', null)))).toEqual([
      expect.stringMatching(/^SEARCH .*\(item_id=\? AND version_key=\?\)$/),
    ]);
  });

  it('check for updates by slug and version', async () => {
    const steps = await plans(() =>
      new UpdateCheck(database).check('1.0', [
        { type: 'plugin', slug: 'x', version: '1' },
        { type: 'theme', slug: 'y', version: '1' },
      ]),
    );
    const searches = steps.filter((step) => !/^(MULTI-INDEX OR|INDEX \d)$/.test(step));
    // Items with their version, closed ones, and withdrawn versions with their items; plugins and themes each.
    expect(searches).toHaveLength(8);
    expect(searches.filter((step) => !/\((type=\? AND slug_key=\?|item_id=\? AND version_key=\?)\)/.test(step))).toEqual([]);
  });

  it('count the categories from an index', async () => {
    // The groups are sorted by their counts; there are few.
    expect(await plans(() => new Categories(database).list())).toEqual([
      expect.stringMatching(/USING COVERING INDEX IX_SVC_store_item_category/),
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
  });

  it('list a developer’s items by the author or the item', async () => {
    for (const type of [undefined, 'plugin'] as const) expect(slow(await plans(() => own.list(author, type, slice)))).toEqual([]);
    for (const work of [() => own.versions(item), () => missing(own.review(item, 'en')), () => edits.of(1)]) {
      expect((await plans(work)).filter((step) => !/^SEARCH .*\(item_id=\?\)$|^USE TEMP B-TREE FOR ORDER BY$/.test(step))).toEqual([]);
    }
  });

  it('find blocked files by the version', async () => {
    const steps = await plans(() => blocked.ofVersion(1));
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH f USING INDEX IX_SVC_store_version_file_version \(version_id=\?\)$/),
      expect.stringMatching(/^SEARCH b USING COVERING INDEX .*\(sha256=\?\)$/),
    ]);
    expect(await plans(() => blocked.acknowledged(1, 1))).toEqual([
      expect.stringMatching(/^SEARCH .* USING COVERING INDEX .*\(version_id=\? AND user_id=\?\)$/),
    ]);
  });

  it('list administrators’ data in the order of an index', async () => {
    for (const filter of [{ type: 'plugin' }, { status: 'pending' }, { type: 'theme', status: 'approved' }] as const)
      expect([filter, slow(await plans(() => admin.items(filter, slice)))]).toEqual([filter, []]);
    for (const status of ['pending', 'approved'] as const) {
      expect(slow(await plans(() => admin.versions(status)))).toEqual([]);
      expect(slow(await plans(() => admin.editRequests(status)))).toEqual([]);
    }
    expect(slow(await plans(() => moderation.reports('open', slice)))).toEqual([]);
    const entries = [
      { subject: 'item', subjectId: 1, detail: {} },
      { subject: 'report', subjectId: 1, detail: {} },
      { subject: 'user', subjectId: 1, detail: {} },
    ] as unknown as StoreAudit[];
    const steps = await plans(() => new AuditNames(database).of(entries));
    // Reports, items, deletions of items, accounts.
    expect(steps).toHaveLength(4);
    expect(steps.filter((step) => !/^SEARCH .*(USING INTEGER PRIMARY KEY|\(subject=\? AND subject_id=\?\))/.test(step))).toEqual([]);
    // Newest first is the order of the table itself: only the displayed rows are read.
    for (const work of [
      () => admin.items({}, slice),
      () => admin.editRequests(undefined),
      () => moderation.reports(undefined, slice),
      () => moderation.blocked(slice),
    ]) {
      expect(slow(await plans(work)).filter((step) => !/^SCAN \w+$/.test(step))).toEqual([]);
    }
  });

  it('follow the items from the position in an index', async () => {
    const rows = new IndexedRows(database);
    for (const [work, plan] of [
      [() => rows.after(1, 50), /^SEARCH .* USING INTEGER PRIMARY KEY \(rowid>\?\)$/],
      [() => rows.changedAfter(clock.now(), 1, 50), /^SEARCH .*IX_SVC_store_item_updated \(updated_at>\?\)$/],
      [() => rows.publishedAfter(1, 50), /^SEARCH .* USING COVERING INDEX .*\(status=\? AND id>\?\)$/],
      [() => rows.byIds([1, 2]), /^SEARCH .* USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
    ] as const) {
      expect(await plans(work)).toEqual([expect.stringMatching(plan)]);
    }
    expect(await plans(() => rows.countPublished(1, 50))).toEqual([
      'CO-ROUTINE part',
      expect.stringMatching(/^SEARCH .* USING COVERING INDEX .*\(status=\? AND id>\?\)$/),
      'SCAN part',
    ]);
    expect(slow([...(await plans(() => rows.newestDownload())), ...(await plans(() => rows.countersAfter(1)))])).toEqual([]);
  });
});
