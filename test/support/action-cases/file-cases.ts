import type { ActionCase, CasePlace } from './action-case.js';

const SPACE = 2 ** 30;
const COMMON = { deed: 'case', space: SPACE };
const UPLOAD = { folder: '/', name: 'up.bin', size: 8, tag: 'case' };

/** Resets the files of the site to the state before each case, with an empty trash and no unfinished work. */
export async function files({ site, machine }: CasePlace): Promise<void> {
  await machine.must(
    [
      'sh',
      '-c',
      `cd "$1" && rm -rf work/* work/.[!.]* trash/* && find public -mindepth 1 -delete &&
cd public && mkdir sub && echo a >a.txt && echo c >c.txt &&
       echo inner >sub/inner.txt && touch -d @1700000000 a.txt c.txt sub/inner.txt sub && tar -czf two.tar.gz -C sub inner.txt`,
      'sh',
      site.home,
    ],
    { user: site.user },
  );
}

/** Like {@link files}, and moves two files to the trash. */
async function thrown(place: CasePlace): Promise<void> {
  await files(place);
  await place.site.must('files.discard', { paths: ['/a.txt', '/c.txt'] });
}

async function idsOf({ site }: CasePlace): Promise<string[]> {
  const { entries } = (await site.must('files.trash', { offset: 0, limit: 10 })) as { entries: { id: string }[] };
  return entries.map(({ id }) => id);
}

/** Archive that `backups.restore` restores, as created by `backups.make`. */
let backup: object = {};

/** Why moves of several paths may be interrupted in between: they are moved one after another. */
const SOME = 'some of several things are done, and the next call does the rest';

/** Cases of actions on files and backups, and of measurements. */
export const FILE_CASES = {
  'files.list': { args: { folder: '/', sort: 'name', descending: false, offset: 0, limit: 10, text: null } },
  'files.find': { args: { path: '/a.txt' } },
  'files.read': { args: { path: '/a.txt', most: 1_000 } },
  'files.open': { args: { path: '/a.txt' } },
  'files.size': { args: { path: '/sub' } },
  'files.write': {
    before: files,
    args: { path: '/a.txt', isNew: false, version: null, space: SPACE },
    body: 'other words',
  },
  'files.makeFolder': { before: files, args: { path: '/made' }, again: 'refused' },
  'files.rename': { before: files, args: { folder: '/', from: 'a.txt', to: 'b.txt' }, again: 'refused' },
  'files.move': { before: files, args: { from: '/', names: ['a.txt', 'c.txt'], to: '/sub' }, between: [/^\S+\/public\//, SOME] },
  'files.discard': { before: files, args: { paths: ['/a.txt', '/c.txt'] }, between: [/^\S+\/public\//, SOME] },
  'files.uploaded': { args: { target: UPLOAD } },
  'files.upload': { before: files, args: { target: UPLOAD, offset: 0, space: SPACE }, body: 'ABCDEFGH' },
  'files.cancelUpload': {
    before: async (place) => {
      await files(place);
      await place.site.must('files.upload', { target: UPLOAD, offset: 0, space: SPACE }, { body: 'ABC' });
    },
    args: { target: UPLOAD },
  },
  'files.copy': {
    before: files,
    args: { ...COMMON, from: '/', names: ['a.txt', 'c.txt'], to: '/sub' },
    again: 'refused',
    between: [/^\S+\/public\//, SOME],
  },
  'files.pack': { before: files, args: { ...COMMON, folder: '/', names: ['a.txt', 'sub'], archive: '/packed.tar.gz' }, again: 'refused' },
  'files.unpack': {
    before: files,
    args: { ...COMMON, archive: '/two.tar.gz', folder: '/sub', encoding: null },
    between: [/^\S+\/public\//, SOME],
  },
  'files.trash': { args: { offset: 0, limit: 10 } },
  'files.restore': {
    before: thrown,
    args: async (place: CasePlace) => ({ ids: await idsOf(place) }),
    again: 'refused',
    between: [/^\S+\/public\//, SOME],
  },
  'files.purge': { before: thrown, args: { deed: 'case', ids: null, before: null } },
  'files.tidy': {
    before: async (place) => {
      await files(place);
      await place.site.must('files.upload', { target: UPLOAD, offset: 0, space: SPACE }, { body: 'ABC' });
    },
    args: { before: 4_000_000_000_000 },
  },

  'backups.make': {
    before: async (place) => {
      await files(place);
      await place.site.must('backups.remove', { name: 'case.tar.gz' });
    },
    args: { deed: 'case', name: 'case.tar.gz', secret: { url: null } },
  },
  'backups.send': {
    before: files,
    args: ({ storage }: CasePlace) => ({ deed: 'case', name: 'kept.tar.gz', from: 0, size: 20, secret: { url: `${storage}part` } }),
  },
  'backups.restore': {
    before: async (place) => {
      await files(place);
      const made = await place.site.must('backups.make', { deed: 'other', name: 'other.tar.gz', secret: { url: null } });
      backup = { name: 'other.tar.gz', size: made.size, sha256: made.sha256, content: made.content };
      await place.machine.must(['sh', '-c', 'cd "$1" && echo changed >a.txt && rm -r sub', 'sh', `${place.site.home}/public`]);
    },
    args: () => ({ deed: 'case', archive: backup, space: SPACE, secret: { url: null } }),
    between: [/^\S+\/archives\/\S+\/other\.tar\.gz /, 'its group may read the archive, in a folder that lets nobody in but root'],
  },
  'backups.open': { args: { name: 'kept.tar.gz', from: 0 } },
  'backups.mark': {},
  'backups.remove': {
    before: async ({ site }) => site.must('backups.make', { deed: 'case', name: 'case.tar.gz', secret: { url: null } }),
    args: { name: 'case.tar.gz' },
  },
  'backups.check': { of: null },

  'logs.grown': { of: null, args: { since: null, after: null } },
  'logs.read': { args: { cursor: '' } },
  'logs.last': { args: { lines: 10 } },
  'logs.days': {},
  'logs.open': { args: { day: new Date().toISOString().slice(0, 10) } },
  'traffic.month': { args: { month: '2020-01' } },

  'agentlog.files': { of: null },
  'agentlog.read': { of: null, args: { file: 'agent.log', offset: null, limit: 1_000, keyword: 'no such line', level: null } },
  'agentlog.clear': { of: null, before: () => Promise.resolve(), args: { file: 'agent.log' } },
  'agentlog.level': { of: null, before: () => Promise.resolve(), args: { level: 'INFO' } },
} satisfies Record<string, ActionCase>;
