import path from 'node:path';

import { asRecord } from '../record.js';

/** Where sites live on this server. Every path is configurable, so that a second agent or a test can use separate ones. */
export interface HostingConfig {
  /** Parent folder of all site folders; its own parents belong to root. */
  readonly root: string;
  /** Configuration files the agent writes: nginx, PHP, keys and certificates. No other program may write there. */
  readonly settings: string;
  /** Folder of sockets and PID files. */
  readonly run: string;
  /** Backup archives, outside every web root. */
  readonly archives: string;
  /** ACME challenge files that certificate authorities request. */
  readonly proofs: string;
  /** System user nginx runs as. */
  readonly webUser: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly sftpPort: number;
  /** MariaDB socket over which root can connect. */
  readonly databaseSocket: string;
  /** Host name of Adminer; null: not offered. */
  readonly adminerName: string | null;
  /** First UID assigned to site users. */
  readonly firstUid: number;
}

const TEXTS = {
  root: '/srv/svc',
  settings: '/etc/svc-hosting',
  run: '/run/svc-hosting',
  archives: '/var/lib/svc-hosting/archives',
  proofs: '/var/lib/svc-hosting/proofs',
  databaseSocket: '/run/mysqld/mysqld.sock',
} as const;
const PORTS = { httpPort: 80, httpsPort: 443, sftpPort: 22 } as const;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns the option's name in the file, such as `http_port`. */
const named = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const PATHS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
const NUMBERS = Object.keys(PORTS) as (keyof typeof PORTS)[];
const KEYS = new Set([...PATHS, ...NUMBERS].map(named).concat('web_user', 'adminer_name', 'first_uid'));

/**
 * Reads `hosting` of a config: `true` or an object.
 *
 * @param problems receives the errors, each saying what to do
 * @returns null where hosting is disabled
 */
export function readHosting(raw: unknown, problems: string[]): HostingConfig | null {
  if (raw === undefined || raw === false) return null;
  const given = raw === true ? {} : asRecord(raw);
  if (given === null) {
    problems.push('"hosting" must be true, false, or an object such as { "http_port": 80 }.');
    return null;
  }
  for (const key of Object.keys(given))
    if (!KEYS.has(key)) problems.push(`"hosting.${key}" is not an option. Options: ` + `${[...KEYS].join(', ')}.`);
  const wrong = (key: string, rule: string): void => void problems.push(`"hosting.${named(key)}" ${rule}`);
  const value = (key: string): unknown => given[named(key)];
  const folder = (key: keyof typeof TEXTS): string => {
    const text = value(key) ?? TEXTS[key];
    // The path is also written into configuration files of other programs, so characters special to them are not allowed.
    if (typeof text === 'string' && path.isAbsolute(text) && /^[A-Za-z0-9_/.-]{2,80}$/.test(text) && path.normalize(text) === text)
      return text;
    wrong(key, 'must be an absolute path of letters, digits, dots, hyphens and underscores, at most 80.');
    return TEXTS[key];
  };
  const number = (key: string, standard: number, min: number, max: number): number => {
    const found = value(key) ?? standard;
    if (Number.isInteger(found) && Number(found) >= min && Number(found) <= max) return Number(found);
    wrong(key, `must be a whole number from ${min} to ${max}.`);
    return standard;
  };
  const adminerName = value('adminerName') ?? null;
  if (adminerName !== null && !(typeof adminerName === 'string' && NAME.test(adminerName)))
    wrong('adminerName', 'must be a host name in lower case, such as "db.example.com".');
  const webUser = value('webUser') ?? 'www-data';
  if (typeof webUser !== 'string' || !/^[a-z_][a-z0-9_-]{0,31}$/.test(webUser)) wrong('webUser', 'must be a user name.');
  return {
    ...(Object.fromEntries(PATHS.map((key) => [key, folder(key)])) as Record<keyof typeof TEXTS, string>),
    ...(Object.fromEntries(NUMBERS.map((key) => [key, number(key, PORTS[key], 1, 65_535)])) as Record<keyof typeof PORTS, number>),
    webUser: String(webUser),
    adminerName: adminerName as string | null,
    firstUid: number('firstUid', 20_000, 1_000, 59_000),
  };
}
