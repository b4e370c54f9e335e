import { In } from 'typeorm';

import { toFen } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { BundledProgram, DeployProgram, HostingAccount, ProgramPurchase } from '../../hosting/index.js';

import type { ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows, idOf } from './rows.js';

/** Names per query. */
const SLICE = 200;

/** Imports one-click programs and their buyers; the archives are files that must be copied. */
export const programs: ImportPart = {
  table: 'bs',
  needs: ['name', 'inp', 'pz'],
  what: 'programs',
  nameOf: (row) => row.text('name'),
  async take(rows, context) {
    const { database, report, zone, now } = context;
    const made = convertRows(programs, rows, context, (row) => ({
      id: idOf(row),
      ...programOf(row),
      createdAt: row.moment('date', zone, now),
    }));
    const repository = database.repository(DeployProgram);
    for (const program of made) {
      await freeId(database, program.id);
      if (await repository.existsBy([{ name: program.name }, { id: program.id }])) {
        report.skip('programs', 'a program with its name or id already exists', program.name);
        continue;
      }
      await repository.insert(program);
      for (const names of slices(program.buyers)) {
        const buyers = await database.repository(HostingAccount).find({ select: { id: true }, where: { username: In(names) } });
        const bought = buyers.map(({ id }) => ({ programId: program.id, accountId: id, orderId: null, createdAt: now }));
        if (bought.length > 0) await database.repository(ProgramPurchase).insert(bought);
      }
      report.add('programs');
      if (program.archivePath) report.addNote('archives of programs: copy them into DATA_DIR, under the same path', program.archivePath);
    }
  },
};

/** Orders refer to programs by id, so an unused bundled program with this id is moved to another one. */
async function freeId(database: Database, id: number): Promise<void> {
  const ours = database.repository(BundledProgram);
  const [row, bundled] = await Promise.all([database.repository(DeployProgram).findOneBy({ id }), ours.findOneBy({ programId: id })]);
  if (!row || !bundled || row.buyers.length > 0) return;
  await database.repository(DeployProgram).delete({ id });
  const { id: _number, ...words } = row;
  const { identifiers } = await database.repository(DeployProgram).insert(words);
  await ours.update({ slug: bundled.slug }, { programId: identifiers[0]!.id as number });
}

function programOf(row: LegacyRow) {
  const name = row.short('name', 190).trim();
  if (name === '') throw new SkippedRow('it has no name');
  const price = row.text('jg').trim() === '' ? 0 : toFen(row.text('jg'));
  if (price === null) throw new SkippedRow('its price (jg) is not an amount');
  const [web, sql] = row.list('sxpz').map((megabytes) => Number(megabytes) || 0);
  const texts = (column: string): string[] => row.list(column).filter((value): value is string => typeof value === 'string');
  return {
    name,
    price,
    description: row.long('jc') || null,
    images: texts('src'),
    requiredQuotaMb: [web ?? 0, sql ?? 0] as [number, number],
    buyers: texts('tj'),
    onShelf: row.text('qk') !== 'false',
    archivePath: row.short('cxwz', 255),
    // The archive was not inspected; almost all programs use PHP.
    hasPhp: true,
    archiveSize: 0,
    position: 0,
    form: row.list('inp') as object[],
    steps: row.list('pz') as object[],
    doneMessage: row.long('alet') || null,
  };
}

/** Splits the names into batches without duplicates. */
function slices(names: readonly string[]): string[][] {
  const all = [...new Set(names)];
  return Array.from({ length: Math.ceil(all.length / SLICE) }, (_, index) => all.slice(index * SLICE, (index + 1) * SLICE));
}
