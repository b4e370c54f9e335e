import { QUOTA, SETTINGS } from '../machine-sites.js';
import type { ActionCase, CasePlace } from './action-case.js';
import { certificate } from './certificate.js';

const [FIRST, SECOND] = ['correct horse', 'another one'];
const NEW = { quota: QUOTA, expiresOn: null, php: '82' };
const MADE = { ...NEW, secret: { password: FIRST } };

/** Removes the sites that cases create. */
export async function none({ other, adopted, third }: CasePlace): Promise<void> {
  for (const site of [other, adopted, third]) {
    await site.act('site.terminate');
    await site.act('bin.purge');
  }
}

/** Creates the site `other`, after removing what is left of earlier cases. */
async function fresh(place: CasePlace): Promise<void> {
  await none(place);
  await place.other.make();
}

/** Like {@link fresh}, with a database, and moves the site to the recycle bin. */
async function binned(place: CasePlace): Promise<void> {
  await fresh(place);
  await place.other.must('databases.create', { name: place.other.user, most: 1, secret: { password: FIRST } });
  await place.other.must('site.terminate');
}

const setTo =
  (action: string, args: object) =>
  ({ site }: CasePlace): Promise<unknown> =>
    site.must(action, args);

/** Actions on the server, and creation, suspension and deletion of sites. */
export const SITE_CASES = {
  'server.probe': { of: null },
  'site.list': { of: null, args: { after: null } },
  'site.create': {
    of: 'other',
    before: none,
    args: MADE,
    between: [
      /^(?:shadow|visit|panel .* sftp\.of|\S+\/public)/,
      'the site is there, and its password and its page come with the next call: the panel makes it again or takes it away',
    ],
  },
  'site.createAs': {
    of: 'other',
    before: none,
    args: { ...MADE, id: 'svcabcdef01' },
    between: [/^(?:shadow|visit|panel .* sftp\.of|\S+\/public)/, 'as site.create'],
  },
  'site.suspend': { of: 'other', before: fresh, args: { reason: 'unpaid' } },
  'site.unsuspend': {
    of: 'other',
    before: async (place) => {
      await fresh(place);
      await place.other.must('site.suspend', { reason: 'unpaid' });
    },
    args: { to: 'running' },
  },
  'site.start': {
    of: 'other',
    before: async (place) => {
      await fresh(place);
      await place.other.must('site.stop');
    },
  },
  'site.stop': { of: 'other', before: fresh },
  'site.renew': { before: setTo('site.renew', { expiresOn: null }), args: { expiresOn: '2031-02-03' } },
  'site.quota': { before: setTo('site.quota', { quota: QUOTA }), args: { quota: { ...QUOTA, webMb: 200 } } },
  'site.password': { before: setTo('site.password', { secret: { password: FIRST } }), args: { secret: { password: SECOND } } },
  'site.terminate': { of: 'other', before: fresh },
  'site.sync': {},
  'site.idle': {},
  'site.adopt': {
    of: 'adopted',
    before: fresh,
    args: ({ other }: CasePlace) => ({
      ...{ quota: QUOTA, expiresOn: '2031-02-03', secret: { password: SECOND } },
      from: { siteName: other.name, siteId: other.user, ownerMark: other.ref.mark, username: 'ann', running: true, suspended: false },
    }),
    between: [/^shadow/, 'whose it is now has no password of his yet: it comes with the next call'],
  },
  'bin.has': {},
  'bin.restore': {
    of: 'third',
    before: async (place) => {
      await binned(place);
      await place.third.make();
    },
    args: ({ other }: CasePlace) => ({ kept: other.ref }),
    between: [/./, 'the site that was made to take its place may be gone; the one in the bin is there or back'],
  },
  'bin.purge': { of: 'other', before: binned, again: 'not_found' },

  'domains.apply': { before: setTo('domains.apply', { domains: [] }), args: { domains: [{ name: 'www.crash.test', folder: '' }] } },
  'domains.matches': { args: { domains: [] } },
  'domains.taken': { args: { names: ['www.crash.test'] } },
  'settings.apply': {
    before: setTo('settings.apply', { settings: SETTINGS }),
    args: {
      settings: {
        ...SETTINGS,
        redirects: [{ id: 'r1', from: '/one', to: '/two', status: 302 }],
        passwords: [{ name: 'Private', folder: 'sub', user: 'ann', hash: '$2y$10$abcdefghijklmnopqrstuv' }],
      },
    },
  },
  'settings.matches': { args: { settings: SETTINGS } },
  'rewrites.apply': { before: setTo('rewrites.apply', { rules: '' }), args: { rules: 'rewrite ^/old$ /new last;' } },
  'certificate.apply': {
    before: setTo('certificate.apply', { secret: { certificate: null } }),
    args: { secret: { certificate: certificate('www.crash.test') } },
  },
  'certificate.matches': { args: { secret: { certificate: null } } },
  'proofs.apply': {
    before: setTo('proofs.apply', { proofs: [] }),
    args: { proofs: ['one', 'two'].map((token) => ({ name: 'crash.1', token, answer: `${token}.answer` })) },
    between: [/^\/var\/lib\/svc-hosting\/proofs/, 'some answers are there; the panel gives them anew with the next try'],
  },
  'php.versions': { of: null },
  'php.of': {},
  'php.apply': { before: setTo('php.apply', { version: '82' }), args: { version: '81' } },

  'credentials.take': {},
  'credentials.give': {
    before: async ({ site }) => {
      await site.must('site.password', { secret: { password: FIRST } });
      for (const name of [site.user, 'crash_two']) await site.must('databases.password', { name, secret: { password: FIRST } });
    },
    args: async ({ machine, site }: CasePlace) => ({ secret: { credentials: await credentials(machine, site) } }),
    between: [/^(?:shadow|account)/, 'some passwords are those of the other server already, and the rest follows with the next call'],
  },
  'sftp.password': { before: setTo('sftp.password', { secret: { password: FIRST } }), args: { secret: { password: null } } },
  'sftp.keys': {
    before: setTo('sftp.keys', { keys: [] }),
    args: { keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1Ff6nFHvFoyIIk0g2kCPf1wz5dN0Q0u0cxYJ0s0C2K ann'] },
  },
  'sftp.switch': { before: setTo('sftp.switch', { enabled: true }), args: { enabled: false } },
  'sftp.of': {},

  'commands.put': {
    before: async ({ site }) => site.must('commands.remove', { id: 'new' }),
    args: { command: commandOf('new'), most: 5 },
  },
  'commands.remove': {
    before: async ({ site }) => {
      await site.must('commands.put', { command: commandOf('new'), most: 5 });
      await site.must('commands.run', { id: 'new' });
    },
    args: { id: 'new' },
    between: [/^runs/, 'what its runs came to goes with the next call, or with a new command of that name'],
  },
  'commands.of': {},
  'commands.run': {
    before: async ({ site, machine }) => {
      await machine.must(['rm', '-f', `${site.home}/public/ran.txt`]);
      await site.must('commands.remove', { id: 'new' });
      await site.must('commands.put', { command: commandOf('new'), most: 5 });
    },
    args: { id: 'new' },
    between: [/^\S+\/public\/ran|^runs/, 'it had begun; whoever asked is told that nobody knows its end'],
  },
  'commands.settle': { args: { seconds: 0 } },
  'commands.runs': { args: { id: 'kept' } },
} satisfies Record<string, ActionCase>;

/** Returns a command of a site. */
export function commandOf(id: string): object {
  return { id, schedule: '0 0 1 1 *', argv: ['touch', 'ran.txt'], folder: '', seconds: 20, enabled: true };
}

/** Returns credentials exported by another server; the SFTP hash is of the second password, in the format of this machine. */
async function credentials(machine: CasePlace['machine'], site: CasePlace['site']): Promise<string> {
  const databases = Object.fromEntries([site.user, 'crash_two'].map((name) => [name, `*${'AB'.repeat(20)}`]));
  const sftp = (await machine.must(['perl', '-e', 'print crypt("another one", q($6$saltsalt$))'])).trim();
  return JSON.stringify({ sftp, databases });
}
