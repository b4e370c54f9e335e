import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ActionName } from '../../../src/agents/wire/actions.js';
import { BinnedSite, HostingAccount, type RemoteSite, SiteBackup, SiteDomain } from '../../../src/hosting/index.js';

import { FAKE_NODE, type FakeServer, LOG_DAY } from '../agent-server.js';
import { jobRan } from '../job-witness.js';
import { certificate } from './certificate.js';
import type { PanelCaseAt, PanelEntry } from './panel-case.js';

const PASS = 'another-pass-22';
/** Host that its cases only read, so they can share it. */
const READ = 'reader';
/** Lane of comparisons of a server with its rows; they run on a server of their own. */
export const COMPARISON = 'comparison';
/** Host on that server that is only compared. */
const COMPARED = 'compared';
const read = (gn: string, fields: Record<string, string> = {}, host = READ): PanelEntry => ({ host, ask: (at) => at.must(gn, fields) });
/** Returns the case of an operation that answers a download link. */
const downloaded = (host: string, gn: string, fields: Record<string, string>) => ({
  host,
  only: 'begun' as const,
  ask: async (at: PanelCaseAt) => at.download(await at.must(gn, fields)),
});
const MOVED = { elsewhere: 'test/site-moves-crash.spec.ts' } as const;
const NEVER = { never: 'the panel has nothing that needs it' } as const;

/** Returns the sites on a server. */
async function sitesOf({ driver }: FakeServer): Promise<readonly RemoteSite[]> {
  const listed = await driver.list(FAKE_NODE, null, new AbortController().signal);
  return 'value' in listed ? listed.value.sites : [];
}

/** Returns the states of a host in the panel and of its sites on the server. */
async function life({ rows, server, user }: PanelCaseAt): Promise<unknown> {
  const sites = (await sitesOf(server)).filter(({ username }) => username === user);
  return [
    (await rows()).map(({ state }) => state),
    sites.map(({ running, suspended }) => (suspended ? 'suspended' : running ? 'running' : 'stopped')),
  ];
}

const bin = ({ database, user }: PanelCaseAt) => database.repository(BinnedSite).findBy({ username: user });
const deleted = async (at: PanelCaseAt): Promise<void> => {
  await at.must('zjsc', { qr: at.user });
  at.memo.binned = String((await bin(at))[0]!.id);
};
const backupsOf = async ({ database, rows }: PanelCaseAt) => database.repository(SiteBackup).findBy({ hostId: (await rows())[0]!.id });

/** Makes a backup and waits until it is done. */
async function backedUp(at: PanelCaseAt): Promise<void> {
  await at.must('sitebackup_make');
  for (;;) {
    const [backup] = await backupsOf(at);
    if (backup?.state === 'done') return void (at.memo.bf = String(backup.id));
    if (backup?.state === 'failed') throw new Error('The backup failed.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function dumped(at: PanelCaseAt): Promise<void> {
  await at.must('databaseadd');
  at.memo.bf = String((await at.must('backup_list')).rows![0]!.id);
}

async function commanded(at: PanelCaseAt): Promise<void> {
  const saved = await at.must('crontab_save', { ml: 'echo hi', sj: '0 3 * * *' });
  at.memo.jh = String(saved.jh ?? saved.data?.jh);
}

const nameOf = ({ user }: PanelCaseAt): string => `${user}.example.org`;

/** Adds a domain to a site and creates a certificate for it. */
async function certified(at: PanelCaseAt): Promise<void> {
  await at.must('tjurl', { url: nameOf(at), ml: '' });
  const { chain, key } = certificate(nameOf(at)) as { chain: string; key: string };
  Object.assign(at.memo, { pem: chain, key });
}

/** Creates a file and moves it to the trash. */
async function thrown(at: PanelCaseAt): Promise<void> {
  await at.put('thrown.txt', 'thrown');
  await at.must('ftpsc', { lx: 'file', path: '/', name: 'thrown.txt' });
  at.memo.trash = String((await at.must('filetrash')).rows![0]!.id);
}

const isThere = async ({ server, rows }: PanelCaseAt, path: string): Promise<boolean> =>
  existsSync(join(server.dataDir, 'sites', (await rows())[0]!.siteName, 'public', path));

/** Servers, and creation, suspension and deletion of sites. */
const LIFE = {
  'server.probe': { host: '', ask: (at) => at.must('btztjc', { btid: at.serverId }) },
  'site.list': { host: '', lane: COMPARISON, ask: (at) => at.must('btzj', { id: at.serverId }) },
  'site.create': { host: 'created', isNew: true, ask: (at) => at.open(at.user), state: life, wanted: [['active'], ['running']] },
  'site.createAs': {
    host: 'remade',
    // Its server has lost the site and must create it again with the id it had.
    before: async ({ database, server, user, rows }) => {
      const [{ siteName }] = (await rows()) as [HostingAccount];
      const site = (await sitesOf(server)).find((one) => one.siteName === siteName)!;
      const account = { ...site, ownerMark: site.ownerMark ?? '', node: FAKE_NODE };
      await server.driver.terminate(account);
      await server.driver.bin.purge(account, new AbortController().signal);
      await database.repository(HostingAccount).update({ userKey: user }, { siteId: 'svc0badcafe' });
    },
    ask: (at) => at.call('zjtb'),
    state: life,
    wanted: [['active'], ['running']],
  },
  'site.suspend': { host: 'suspended', ask: (at) => at.call('zjzt'), state: life, wanted: [['paused'], ['suspended']] },
  'site.unsuspend': {
    host: 'resumed',
    before: (at) => at.must('zjzt'),
    ask: (at) => at.call('zjjc'),
    state: life,
    wanted: [['active'], ['running']],
  },
  'site.start': {
    host: 'started',
    before: (at) => at.must('zjtd'),
    ask: (at) => at.call('zjqd'),
    state: life,
    wanted: [['active'], ['running']],
  },
  'site.stop': { host: 'stopped', ask: (at) => at.call('zjtd'), state: life, wanted: [['active'], ['stopped']] },
  'site.renew': {
    host: 'renewed',
    ask: (at) => at.call('zjxf', { datae: '2031-02-03' }),
    state: async ({ rows }) => (await rows()).map(({ expiresOn }) => expiresOn),
    wanted: ['2031-02-03'],
  },
  'site.quota': {
    host: 'widened',
    ask: (at) => at.call('zjxgjl', { webkj: '300' }),
    state: async ({ rows }) => (await rows()).map(({ webQuotaMb }) => webQuotaMb),
    wanted: [300],
  },
  'site.password': {
    host: 'password',
    ask: (at) => at.call('zjczmm', { pass: PASS }),
    state: async ({ kept }) => (await kept()).sftp.password,
    wanted: PASS,
  },
  'site.terminate': {
    host: 'deleted',
    ask: (at) => at.call('zjsc', { qr: at.user }),
    state: async (at) => [await life(at), (await bin(at)).length],
    wanted: [[[], []], 1],
  },
  'site.sync': {
    host: READ,
    lane: 'usage',
    ask: async (at) => {
      await at.database.repository(HostingAccount).update({ userKey: at.user }, { usageDueAt: new Date(0) });
      await at.must('jhrun', { id: 'core:account-usage' });
    },
  },
  'site.idle': { host: READ, ask: (at) => at.must('xzjc') },
  'site.adopt': {
    host: 'adopted',
    lane: COMPARISON,
    before: async (at) => {
      const [{ id, siteName }] = (await at.rows()) as [HostingAccount];
      at.memo.site = siteName;
      await at.database.repository(HostingAccount).delete({ id });
    },
    ask: (at) =>
      at.call('zjdr', { id: '', btdh: at.code, 'list[0][site]': at.memo.site!, 'list[0][user]': at.user, 'list[0][pass]': PASS }),
    state: life,
    wanted: [['active'], ['running']],
  },
  'bin.has': {
    host: 'sought',
    ask: (at) => at.call('zjsc', { qr: at.user }),
    state: async (at) => [await life(at), (await bin(at)).length],
    wanted: [[[], []], 1],
  },
  'bin.restore': {
    host: 'returned',
    before: deleted,
    ask: (at) => at.call('zjhf', { id: at.memo.binned!, pass: PASS }),
    state: async (at) => [await life(at), (await bin(at)).length],
    wanted: [[['active'], ['running']], 0],
  },
  'bin.purge': {
    host: 'purged',
    before: deleted,
    ask: (at) => at.call('zjqc', { id: at.memo.binned! }),
    state: async (at) => [await life(at), (await bin(at)).length],
    wanted: [[[], []], 0],
  },
} satisfies Partial<Record<ActionName, PanelEntry>>;

/** Domains, certificates, settings, programs and commands of sites. */
const SERVING = {
  'domains.apply': {
    host: 'named',
    ask: (at) => at.call('tjurl', { url: nameOf(at), ml: '' }),
    state: async (at) => [
      JSON.stringify((await at.kept()).domains).includes(nameOf(at)),
      await at.database.repository(SiteDomain).countBy({ name: nameOf(at) }),
    ],
    wanted: [true, 1],
  },
  'domains.taken': {
    host: 'leaving',
    before: (at) => at.must('tjurl', { url: nameOf(at), ml: '' }),
    ask: (at) => at.must('zjqyjc', { btdh: at.other }),
  },
  'domains.matches': { host: COMPARED, lane: COMPARISON, ask: (at) => at.must('btzj', { id: at.serverId }) },
  'settings.apply': {
    host: 'indexed',
    ask: (at) => at.call('xgmrwd', { ml: 'home.html' }),
    state: async ({ kept }) => JSON.stringify((await kept()).settings).includes('home.html'),
    wanted: true,
  },
  'settings.matches': {
    host: COMPARED,
    lane: COMPARISON,
    before: (at) => at.must('xgmrwd', { ml: 'home.html' }),
    ask: (at) => at.must('btzj', { id: at.serverId }),
  },
  'rewrites.apply': {
    host: 'rewritten',
    ask: (at) => at.call('setwjt', { wb: 'rewrite ^/old$ /new last;' }),
    state: async ({ kept }) => (await kept()).rewrites,
    wanted: 'rewrite ^/old$ /new last;',
  },
  'certificate.apply': {
    host: 'certified',
    before: certified,
    ask: (at) => at.call('setssl', { key: at.memo.key!, pem: at.memo.pem! }),
    state: async (at) => JSON.stringify((await at.kept()).certificate).includes(nameOf(at)),
    wanted: true,
  },
  'certificate.matches': {
    host: COMPARED,
    lane: COMPARISON,
    before: async (at) => {
      await certified(at);
      await at.must('setssl', { key: at.memo.key!, pem: at.memo.pem! });
    },
    ask: (at) => at.must('btzj', { id: at.serverId }),
  },
  'proofs.apply': {
    host: 'proved',
    before: (at) => at.must('tjurl', { url: nameOf(at), ml: '' }),
    ask: (at) => at.must('jcssl', { url: nameOf(at) }),
  },
  'php.versions': { host: '', ask: (at) => at.must('list_node_php', { btdh: at.code }) },
  'php.of': read('listphp'),
  'php.apply': { host: 'php', ask: (at) => at.call('phpxg', { php: '83' }), state: async ({ kept }) => (await kept()).php, wanted: '83' },
  'credentials.take': MOVED,
  'credentials.give': MOVED,
  'sftp.password': NEVER,
  'sftp.keys': NEVER,
  'sftp.switch': {
    host: 'sftp',
    ask: (at) => at.call('ftpkg', { kg: 'false' }),
    state: async ({ kept }) => (await kept()).sftp.enabled,
    wanted: false,
  },
  'sftp.of': read('ftpxx'),
  'commands.put': {
    host: 'commanded',
    ask: commanded,
    state: async ({ kept }) => (await kept()).commands.map(({ argv }) => argv),
    wanted: [['echo', 'hi']],
  },
  'commands.remove': {
    host: 'uncommanded',
    before: commanded,
    ask: (at) => at.call('crontab_del', { jh: at.memo.jh! }),
    state: async ({ kept }) => (await kept()).commands.length,
    wanted: 0,
  },
  'commands.of': read('crontab_list'),
  'commands.run': {
    host: 'ran',
    before: commanded,
    ask: (at) => at.call('crontab_run', { jh: at.memo.jh! }),
    state: async ({ kept, memo }) => ((await kept()).runs.get(memo.jh!)?.length ?? 0) > 0,
    wanted: true,
  },
  'commands.settle': MOVED,
  'commands.runs': { host: 'listed', before: commanded, ask: (at) => at.must('crontab_log', { jh: at.memo.jh! }) },
} satisfies Partial<Record<ActionName, PanelEntry>>;

/** Files and backups. */
const FILES = {
  'files.list': read('listfile'),
  'files.find': { host: READ, ask: (at) => at.must('wjxz', { path: '/read.txt' }) },
  'files.read': { host: READ, ask: (at) => at.call('hqwj', { path: '/read.txt' }) },
  'files.open': { ...downloaded('read', 'wjxz', { path: '/open.txt' }), before: (at) => at.put('open.txt', 'opened') },
  'files.size': read('hqdx', { dw: '/' }),
  'files.write': {
    host: 'files',
    before: (at) => at.put('write.txt', 'old'),
    ask: (at) => at.call('setwj', { wj: '/write.txt', nr: 'new' }),
    state: ({ text }) => text('write.txt'),
    wanted: 'new',
  },
  'files.makeFolder': {
    host: 'files',
    ask: (at) => at.call('xjwjj', { ml: '/', wjname: 'made' }),
    state: (at) => isThere(at, 'made'),
    wanted: true,
  },
  'files.rename': {
    host: 'files',
    before: (at) => at.put('rename.txt', 'renamed'),
    ask: (at) => at.call('setname', { lj: '/', wjjm: 'rename.txt', wjmc: 'renamed.txt' }),
    state: async ({ text }) => [await text('rename.txt'), await text('renamed.txt')],
    wanted: [null, 'renamed'],
  },
  'files.move': {
    host: 'files',
    before: async (at) => {
      await at.put('move.txt', 'moved');
      await at.put('to/here.txt', '');
    },
    ask: (at) => at.call('filecp', { yfile: '["move.txt"]', ypath: '/', xpath: '/to', type: '2' }),
    state: async ({ text }) => [await text('move.txt'), await text('to/move.txt')],
    wanted: [null, 'moved'],
  },
  'files.discard': {
    host: 'files',
    before: (at) => at.put('discard.txt', 'x'),
    ask: (at) => at.call('ftpsc', { lx: 'file', path: '/', name: 'discard.txt' }),
    state: ({ text }) => text('discard.txt'),
    wanted: null,
  },
  'files.uploaded': read('file_upload_size', { htl: '/', fename: 'none.bin', size: '10' }),
  'files.upload': {
    host: 'files',
    ask: (at) => at.upload('upload.txt', 'uploaded', 0, 8),
    state: ({ text }) => text('upload.txt'),
    wanted: 'uploaded',
  },
  'files.cancelUpload': {
    host: 'files',
    before: (at) => at.upload('half.txt', 'uploaded', 0, 4),
    ask: (at) => at.call('file_upload_cancel', { htl: '/', fename: 'half.txt', size: '8' }),
    state: async (at) => [await at.text('half.txt'), (await at.call('file_upload_size', { htl: '/', fename: 'half.txt', size: '8' })).size],
    wanted: [null, 0],
  },
  'files.copy': {
    host: 'copied',
    before: async (at) => {
      await at.put('copy.txt', 'copied');
      await at.put('to/here.txt', '');
    },
    ask: (at) => at.call('filecp', { yfile: '["copy.txt"]', ypath: '/', xpath: '/to', type: '1' }),
    state: async ({ text }) => [await text('copy.txt'), await text('to/copy.txt')],
    wanted: ['copied', 'copied'],
  },
  'files.pack': {
    host: 'packed',
    before: (at) => at.put('pack.txt', 'packed'),
    ask: (at) => at.call('fileys', { file: '["pack.txt"]', path: '/', dpath: 'packed.zip' }),
    state: (at) => isThere(at, 'packed.zip'),
    wanted: true,
  },
  'files.unpack': {
    host: 'unpacked',
    before: async (at) => {
      await at.put('unpack.txt', 'unpacked');
      await at.put('to/here.txt', '');
      await at.must('fileys', { file: '["unpack.txt"]', path: '/', dpath: 'unpack.zip' });
    },
    ask: (at) => at.call('filejy', { jywj: '/unpack.zip', jyd: '/to' }),
    state: ({ text }) => text('to/unpack.txt'),
    wanted: 'unpacked',
  },
  'files.trash': read('filetrash'),
  'files.restore': {
    host: 'restored',
    before: thrown,
    ask: (at) => at.call('filetrash_restore', { idsz: at.memo.trash! }),
    state: ({ text }) => text('thrown.txt'),
    wanted: 'thrown',
  },
  'files.purge': {
    host: 'emptied',
    lane: 'trash',
    before: thrown,
    ask: (at) => at.call('filetrash_del', { all: 'true' }),
    state: async (at) => Number((await at.must('filetrash')).total),
    wanted: 0,
  },
  'files.tidy': {
    host: READ,
    lane: 'trash',
    // The job skips a day after a possible clock jump: let it have run recently.
    before: ({ database }) => jobRan(database, 'site-files', new Date(Date.now() - 26 * 3_600_000)),
    ask: (at) => at.must('jhrun', { id: 'core:site-files' }),
  },
  'backups.make': {
    host: 'kept',
    lane: 'backup',
    ask: (at) => at.call('sitebackup_make'),
    state: async (at) => (await backupsOf(at)).some(({ state }) => state === 'done'),
    wanted: true,
  },
  'backups.send': {
    host: 'sent',
    lane: 'backup',
    ask: async (at) => {
      await at.must('sitebackup_set', { id: '', bf_wz: 's3' });
      try {
        return await at.call('sitebackup_make');
      } finally {
        await at.must('sitebackup_set', { id: '', bf_wz: 'disk' });
      }
    },
    state: async (at) => (await backupsOf(at)).some(({ state }) => state === 'done'),
    wanted: true,
  },
  'backups.restore': {
    host: 'put-back',
    before: async (at) => {
      await at.put('state.txt', 'old');
      await backedUp(at);
      await at.put('state.txt', 'new');
    },
    ask: (at) => at.call('sitebackup_restore', { bf: at.memo.bf! }),
    state: ({ text }) => text('state.txt'),
    wanted: 'old',
  },
  'backups.open': {
    host: 'opened',
    only: 'begun',
    before: backedUp,
    ask: async (at) => at.download(await at.must('sitebackup_download', { bf: at.memo.bf! })),
  },
  'backups.mark': MOVED,
  'backups.remove': {
    host: 'dropped',
    before: backedUp,
    ask: (at) => at.call('sitebackup_del', { bf: at.memo.bf! }),
    state: async (at) => (await at.must('sitebackup_list')).rows!.length,
    wanted: 0,
  },
  'backups.check': { host: '', ask: (at) => at.must('sitebackup_test', { bf_wz: 'disk' }) },
} satisfies Partial<Record<ActionName, PanelEntry>>;

/** Databases, logs, and the agent's own log. */
const DATABASES = {
  'databases.create': {
    host: 'with-database',
    isNew: true,
    ask: (at) => at.open(at.user),
    state: async (at) => [await life(at), ((await at.rows())[0] && (await at.kept()).database) != null],
    wanted: [[['active'], ['running']], true],
  },
  'databases.drop': NEVER,
  'databases.password': {
    host: 'database',
    ask: (at) => at.call('databasemm', { pass: PASS }),
    state: async ({ kept }) => (await kept()).database!.password,
    wanted: PASS,
  },
  'databases.access': {
    host: 'let-in',
    ask: (at) => at.call('databaseaq1', { dataAccess: '192.0.2.9' }),
    state: async ({ kept }) => (await kept()).database!.hosts,
    wanted: ['192.0.2.9'],
  },
  'databases.list': read('databasexx'),
  'databases.size': NEVER,
  'databases.dump': {
    host: 'dumped',
    ask: (at) => at.call('databaseadd'),
    state: async ({ kept }) => (await kept()).database!.archives.length > 0,
    wanted: true,
  },
  'databases.restore': {
    host: 'undumped',
    before: dumped,
    ask: (at) => at.call('databaserestore', { bf: at.memo.bf! }),
    state: async ({ kept, memo }) => (await kept()).ran.includes(memo.bf!),
    wanted: true,
  },
  'databases.archives': read('backup_list'),
  'databases.openArchive': {
    host: 'fetched',
    only: 'begun',
    before: dumped,
    ask: async (at) => at.download(await at.must('databasedownload', { bf: at.memo.bf! })),
  },
  'databases.removeArchive': {
    host: 'undone',
    before: dumped,
    ask: (at) => at.call('databasedel', { bf: at.memo.bf! }),
    state: async ({ kept }) => (await kept()).database!.archives.length,
    wanted: 0,
  },
  'databases.clear': {
    host: 'cleared',
    ask: (at) => at.call('databaseqk'),
    state: async ({ kept }) => (await kept()).ran.includes('clear'),
    wanted: true,
  },
  'databases.export': NEVER,
  'databases.import': MOVED,
  'databases.door': read('sqlsso', {}, 'signed-in'),
  'logs.grown': { host: '', lane: 'statistics', ask: (at) => at.must('jhrun', { id: 'core:site-statistics' }) },
  'logs.read': {
    host: READ,
    lane: 'statistics',
    before: async ({ server, rows }) => void (server.grown = [(await rows())[0]!.siteName]),
    ask: (at) => at.must('jhrun', { id: 'core:site-statistics' }),
  },
  'logs.last': read('site_stats', { type: 'recent' }),
  'logs.days': read('rzlb'),
  'logs.open': {
    ...downloaded('logged', 'rzxz', { day: LOG_DAY }),
    before: ({ server }: PanelCaseAt) => Promise.resolve(void (server.log = 'GET /\n')),
  },
  'traffic.month': {
    host: READ,
    lane: 'usage',
    ask: async (at) => {
      await at.database.repository(HostingAccount).update({ userKey: at.user }, { usageDueAt: new Date(0) });
      await at.must('jhrun', { id: 'core:account-usage' });
    },
  },
  'agentlog.files': { host: '', ask: (at) => at.must('nodeloglist', { node_id: at.agentId }) },
  'agentlog.read': { host: '', ask: (at) => at.must('nodelogcontent', { node_id: at.agentId, log_file: 'agent.log' }) },
  'agentlog.clear': {
    host: '',
    ask: (at) => at.call('nodelogclear', { node_id: at.agentId, log_file: 'agent.log' }),
    state: ({ server }) => Promise.resolve(server.agentLog.text),
    wanted: '',
  },
  'agentlog.level': {
    host: '',
    ask: (at) => at.call('nodeloglevel', { node_id: at.agentId, level: 'DEBUG' }),
    state: ({ server }) => Promise.resolve(server.agentLog.level),
    wanted: 'DEBUG',
  },
} satisfies Partial<Record<ActionName, PanelEntry>>;

/** Cases of all actions of the agent; an action that is added needs an entry here. */
export const PANEL_CASES: Readonly<Record<ActionName, PanelEntry>> = { ...LIFE, ...SERVING, ...FILES, ...DATABASES };
