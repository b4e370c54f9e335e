import * as fs from 'node:fs/promises';

import { codeOf } from '../../errors.js';
import { readText } from '../files.js';
import { failureOfProgram, mustRun, runProgram } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';

/** Group of the users of all sites; sshd treats its members as what they are. */
export const SITES_GROUP = 'svc-sites';

/** A user a site is to have. */
export interface SiteUser {
  readonly user: string;
  readonly uid: number;
}

const NAME = /^svc[0-9a-f]{8}$/;
/** As crypt(5) writes it: the method and its settings between dollars. */
const HASH = /^\$[A-Za-z0-9./$,=_-]{10,300}$/;
/**
 * Days after 1970-01-01 on which users expire who are shut out, before and after all they had open ended. As numbers: what a date comes to
 * depends on the zone of the server.
 */
const [ENDING, ENDED] = ['2', '1'];
/** `usermod` ends with it where the user does not change. */
const USER_BUSY = 8;

/** The system users of sites: each with a group of its own, a home that belongs to root, no shell, and no way in until it gets one. */
export class SystemUsers {
  /** @param root folder of the homes */
  constructor(private readonly root: string) {}

  /** Makes the group of all sites. */
  async prepare(): Promise<void> {
    await mustRun('groupadd', ['--force', '--system', SITES_GROUP]);
  }

  /** Makes a user. @throws HostRefusal `PROGRAM` */
  async make({ user, uid }: SiteUser): Promise<void> {
    if (!NAME.test(user)) throw new HostRefusal('PROGRAM', 'This is no name of a site user.');
    const present = await idOf(user);
    if (present === uid) return;
    if (present !== null) throw new HostRefusal('PROGRAM', `The user ${user} has another number.`);
    const group = await groupOf(user);
    if (group !== null && group !== uid) throw new HostRefusal('PROGRAM', `The group ${user} has another number.`);
    if (group === null) await mustRun('groupadd', ['--gid', String(uid), '--', user]);
    const groups = ['--gid', String(uid), '--groups', SITES_GROUP];
    const about = ['--uid', String(uid), ...groups, '--home-dir', `${this.root}/${user}`, '--no-create-home'];
    await mustRun('useradd', [...about, '--shell', '/usr/sbin/nologin', '--comment', 'site', '--', user]);
  }

  /** Sets a password; by way of standard input, where nobody sees it. The text has no line break. */
  async setPassword({ user }: SiteUser, password: string): Promise<void> {
    await mustRun('chpasswd', [], { input: `${user}:${password}\n` });
  }

  /** Hash of the password; null where there is none. */
  async hashOf({ user }: SiteUser): Promise<string | null> {
    const line = ((await readText('/etc/shadow')) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
    const hash = line?.split(':')[1] ?? '';
    return HASH.test(hash) ? hash : null;
  }

  /** Sets a password by its hash. @throws HostRefusal `ARGUMENTS` for what is none */
  async setHash({ user }: SiteUser, hash: string): Promise<void> {
    if (!HASH.test(hash)) throw new HostRefusal('ARGUMENTS', 'This is no hash of a password.');
    await mustRun('chpasswd', ['--encrypted'], { input: `${user}:${hash}\n` });
  }

  /** Takes the password away. */
  async dropPassword({ user }: SiteUser): Promise<void> {
    await mustRun('usermod', ['--password', '*', '--', user]);
  }

  /**
   * Lets nobody in as this user, by password or key, or lets in again who could before.
   *
   * @returns whether what they have open is still to end: until {@link noteEnded}, also after a crash
   */
  async setOpen({ user }: SiteUser, isOpen: boolean): Promise<boolean> {
    const line = ((await readText('/etc/shadow')) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
    const expires = line?.split(':')[7] ?? '';
    if (isOpen && expires !== '') await mustRun('usermod', ['--expiredate', '', '--', user]);
    if (isOpen || expires === ENDED) return false;
    if (expires === '') await mustRun('usermod', ['--expiredate', ENDING, '--', user]);
    return true;
  }

  /** Notes that everything has ended which a user had open when {@link setOpen} shut them out. */
  async noteEnded({ user }: SiteUser): Promise<void> {
    await mustRun('usermod', ['--expiredate', ENDED, '--', user]);
  }

  /** Ends everything that runs as this user: sessions of SFTP, commands, PHP. */
  async endProcesses({ uid }: SiteUser): Promise<void> {
    for (const pid of await processesOf(uid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (codeOf(error) !== 'ESRCH') throw error;
      }
    }
  }

  /** Removes user and group; its files are others' business. */
  async remove({ user }: SiteUser): Promise<void> {
    if ((await idOf(user)) === null) return;
    const end = await runProgram('userdel', ['--', user]);
    // A process that is just ending still counts.
    if (end.code === USER_BUSY) await mustRun('userdel', ['--force', '--', user]);
    else if (end.code !== 0) throw failureOfProgram(end, 'PROGRAM', `userdel ended with ${end.code}`);
  }
}

/** Number of a user of this machine; null where there is none. */
export async function idOf(user: string): Promise<number | null> {
  return fieldOf('/etc/passwd', user);
}

/** Number of a group of this machine; null where there is none. */
export async function groupOf(group: string): Promise<number | null> {
  return fieldOf('/etc/group', group);
}

async function fieldOf(file: string, name: string): Promise<number | null> {
  const line = ((await readText(file)) ?? '').split('\n').find((text) => text.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(':')[2]);
}

async function processesOf(uid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await fs.readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const owner = await fs.stat(`/proc/${name}`).then(
      (stat) => stat.uid,
      () => -1,
    );
    if (owner === uid) found.push(Number(name));
  }
  return found;
}
