import type { ActionCase, CasePlace } from './action-case.js';

const [FIRST, SECOND] = ['correct horse', 'another one'];
const NAME = 'crash_two';
const DUMP = { deed: 'case', name: NAME, space: 2 ** 30 };
const CONTENT = 'what is in the database: its owner is told that it was cut short, and the next call begins anew';

/**
 * Creates the second database with one table.
 *
 * @param table its name
 */
const having =
  (table: string) =>
  async ({ site }: CasePlace): Promise<void> => {
    await site.must('databases.create', { name: NAME, most: 5, secret: { password: FIRST } });
    await site.must(
      'databases.import',
      { name: NAME, empty: true },
      { body: `CREATE TABLE ${table} (n INT); INSERT INTO ${table} VALUES (7);` },
    );
  };

/** Cases of actions on databases. */
export const DATABASE_CASES = {
  'databases.create': {
    before: async ({ site }) => site.must('databases.drop', { name: NAME }),
    args: { name: NAME, most: 5, secret: { password: FIRST } },
    between: [/^account/, 'it has no password yet, which comes with the next call'],
  },
  'databases.drop': { before: having('kept'), args: { name: NAME } },
  'databases.password': {
    before: async ({ site }) => {
      await having('kept')({ site } as CasePlace);
      await site.must('databases.access', { name: NAME, hosts: ['192.0.2.7'] });
      await site.must('databases.password', { name: NAME, secret: { password: FIRST } });
    },
    args: { name: NAME, secret: { password: SECOND } },
  },
  'databases.access': {
    before: async ({ site }) => {
      await having('kept')({ site } as CasePlace);
      await site.must('databases.access', { name: NAME, hosts: ['192.0.2.7'] });
    },
    args: { name: NAME, hosts: ['192.0.2.8'] },
  },
  'databases.list': {},
  'databases.size': { args: { name: NAME } },
  'databases.dump': {
    before: async (place) => {
      await having('kept')(place);
      await place.site.must('databases.removeArchive', { name: NAME, archive: 'case.sql.gz' });
    },
    args: { ...DUMP, to: 'archive', path: null, archive: 'case.sql.gz', secret: { url: null } },
  },
  'databases.restore': {
    before: async (place) => {
      await having('dumped')(place);
      await place.site.must('databases.dump', { ...DUMP, to: 'archive', path: null, archive: 'case.sql.gz', secret: { url: null } });
      await having('kept')(place);
    },
    args: {
      deed: 'case',
      name: NAME,
      from: 'archive',
      path: null,
      archive: 'case.sql.gz',
      sha256: null,
      empty: true,
      secret: { url: null },
    },
    between: [/^(?:table|schema)/, CONTENT],
  },
  'databases.archives': { args: { name: NAME } },
  'databases.openArchive': { args: { name: NAME, archive: 'kept.sql.gz' } },
  'databases.removeArchive': {
    before: async (place) => {
      await having('kept')(place);
      await place.site.must('databases.dump', { ...DUMP, to: 'archive', path: null, archive: 'case.sql.gz', secret: { url: null } });
    },
    args: { name: NAME, archive: 'case.sql.gz' },
  },
  'databases.clear': { before: having('kept'), args: { name: NAME }, between: [/^(?:table|schema)/, CONTENT] },
  'databases.export': { args: { name: NAME } },
  'databases.import': {
    before: having('kept'),
    args: { name: NAME, empty: true },
    body: 'CREATE TABLE brought (n INT);',
    between: [/^(?:table|schema)/, CONTENT],
  },
  'databases.door': {
    before: async ({ site, machine }) => {
      await having('kept')({ site } as CasePlace);
      await machine.must(['sh', '-c', `rm -f ${site.home}/adminer/*`]);
    },
    args: { name: NAME, seconds: 60, secret: { ticket: 'ab'.repeat(32) } },
    between: [/\/adminer\/\S+\.draft/, 'a note nobody reads, which the next ticket replaces'],
  },
} satisfies Record<string, ActionCase>;
