import type { HostDriverRecord } from '../../../sdk/index.js';
import { checkFields } from '../../../theme/index.js';

const KIND = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MAX_FIELDS = 12;

/** Functions every driver has. */
export const DRIVER_CALLS = [
  'probe',
  'create',
  'suspend',
  'unsuspend',
  'start',
  'stop',
  'renew',
  'changeQuota',
  'changePassword',
  'terminate',
  'sync',
  'list',
] as const satisfies readonly (keyof HostDriverRecord)[];

/** Functions of each port, required if it is declared. */
export const PORT_CALLS = {
  files: [
    'list',
    'find',
    'read',
    'open',
    'size',
    'write',
    'makeFolder',
    'rename',
    'move',
    'discard',
    'uploaded',
    'upload',
    'cancelUpload',
    'copy',
    'pack',
    'unpack',
    'trash',
    'restore',
    'purge',
    'tidy',
  ],
  domains: ['apply'],
  settings: ['apply'],
  traffic: ['ofMonth'],
  bin: ['has', 'restore', 'purge'],
  certificates: ['apply', 'prove'],
  statistics: ['grown', 'read', 'last', 'days', 'open'],
  backups: ['make', 'restore', 'open', 'remove', 'check'],
} as const;

/** Optional functions of a port. */
const PORT_EXTRAS: Readonly<Partial<Record<string, readonly string[]>>> = {
  domains: ['matches'],
  settings: ['matches'],
  certificates: ['matches'],
};

export const USES = { address: 'ip', port: 'dk', secure: 'xieyi', panelKey: 'key' } as const;
export const CAN = ['static', 'php', 'database', 'ftp'] as const;

/** Validates a driver record. @throws Error that names the plugin and the broken rule */
export function checkRecord(slug: string, kind: string, record: HostDriverRecord): void {
  const what = `${slug}: the host driver ${JSON.stringify(kind)}`;
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw new Error(`${slug}: the kind of a host driver must be 1 to 32 of a-z 0-9 _ -, not ${JSON.stringify(kind)}.`);
  if (typeof record !== 'object' || record === null)
    throw new Error(`${what} must be an object with title, probe, create and the other ` + 'required functions.');
  const { title, help, fields = [], uses = [], can = [] } = record;
  if (typeof title !== 'string' || title.trim() === '') throw new Error(`${what} needs a title.`);
  if (help !== undefined && typeof help !== 'string') throw new Error(`${what}: help must be a text.`);
  if (!Array.isArray(fields) || fields.length > MAX_FIELDS) throw new Error(`${what} has a list of at most ${MAX_FIELDS} fields.`);
  if (fields.length > 0) checkFields(fields, slug);
  for (const { key, required } of fields)
    if (required !== undefined && typeof required !== 'boolean')
      throw new Error(`${what}: required of the field ${JSON.stringify(key)} must be true or false.`);
  requireWords(what, 'uses', uses, Object.keys(USES));
  if (Array.isArray(can) && (can as string[]).includes('ssl'))
    throw new Error(`${what}: can must not contain "ssl". A driver that installs certificates needs the port certificates.`);
  requireWords(what, 'can', can, CAN);
  for (const name of DRIVER_CALLS) requireFunction(what, name, record[name]);
  if (can.includes('php') || record.phpVersions !== undefined) requireFunction(what, 'phpVersions', record.phpVersions);
  for (const name of ['idle', 'adopt'] as const) if (record[name] !== undefined) requireFunction(what, name, record[name]);
  for (const [port, calls] of Object.entries(PORT_CALLS)) {
    const given = record[port as keyof typeof PORT_CALLS] as Record<string, unknown> | undefined;
    if (given === undefined) continue;
    if (typeof given !== 'object' || given === null) throw new Error(`${what}: ${port} must be a record of functions.`);
    for (const name of calls) requireFunction(what, `${port}.${name}`, given[name]);
    for (const name of PORT_EXTRAS[port] ?? []) if (given[name] !== undefined) requireFunction(what, `${port}.${name}`, given[name]);
  }
}

function requireWords(what: string, name: string, given: unknown, known: readonly string[]): void {
  if (!Array.isArray(given) || given.some((word) => !known.includes(word as string)))
    throw new Error(`${what}: ${name} must be a list of ${known.join(', ')}.`);
}

function requireFunction(what: string, name: string, given: unknown): void {
  if (typeof given !== 'function') throw new Error(`${what}: ${name} must be a function.`);
}
