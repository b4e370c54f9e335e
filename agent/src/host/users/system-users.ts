import * as fs from 'node:fs/promises';

import { codeOf } from '../../errors.js';
import { readText } from '../files.js';
import { failureOfProgram, mustRun, runProgram } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';

/** Group of all site users, which sshd's rules match. */
export const SITES_GROUP = 'svc-sites';

/** System user of a site. */
export interface SiteUser {
  readonly user: string;
  readonly uid: number;
}

const NAME = /^svc[0-9a-f]{8}$/;
/** Hash in crypt(5) format: method and settings between dollar signs. */
const HASH = /^\$[A-Za-z0-9./$,=_-]{10,300}$/;
/**
 * Account expiry values, in days after 1970-01-01, that mark a blocked user before and after its sessions were closed. Numbers, because a
 * date would depend on the server's time zone.
 */
const [ENDING, ENDED] = ['2', '1'];
/** Exit code of `userdel` while the user still has processes. */
const USER_BUSY = 8;

/**
 * Manages the system users of sites: each with its own group, a home owned by root, no shell, and no login until a password or key is set.
 */
export class SystemUsers {
  /** @param root parent folder of the homes */
  constructor(private readonly root: string) {}

  /** Creates the group of all site users. */
  async prepare(): Promise<void> {
    await mustRun('groupadd', ['--force', '--system', SITES_GROUP]);
  }

  /** Creates a user. @throws HostRefusal `PROGRAM` */
  async make({ user, uid }: SiteUser): Promise<void> {
    if (!NAME.test(user)) throw new HostRefusal('PROGRAM', 'This is not the name of a site user.');
    const present = await idOf(user);
    if (present === uid) return;
    if (present !== null) throw new HostRefusal('PROGRAM', `The user ${user} exists with another uid.`);
    const group = await groupOf(user);
    if (group !== null && group !== uid) throw new HostRefusal('PROGRAM', `The group ${user} exists with another gid.`);
    if (group === null) await mustRun('groupadd', ['--gid', String(uid), '--', user]);
    const groups = ['--gid', String(uid), '--groups', SITES_GROUP];
    const about = ['--uid', String(uid), ...groups, '--home-dir', `${this.root}/${user}`, '--no-create-home'];
    await mustRun('useradd', [...about, '--shell', '/usr/sbin/nologin', '--comment', 'site', '--', user]);
  }

  /** Sets a password over standard input, so that it is not visible in the process list. It must not contain a line break. */
  async setPassword({ user }: SiteUser, password: string): Promise<void> {
    await mustRun('chpasswd', [], { input: `${user}:${password}\n` });
  }

  /** Returns the password hash; null if none is set. */
  async hashOf({ user }: SiteUser): Promise<string | null> {
    const line = ((await readText('/etc/shadow')) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
    const hash = line?.split(':')[1] ?? '';
    return HASH.test(hash) ? hash : null;
  }

  /** Sets a password by its hash. @throws HostRefusal `ARGUMENTS` for an invalid hash */
  async setHash({ user }: SiteUser, hash: string): Promise<void> {
    if (!HASH.test(hash)) throw new HostRefusal('ARGUMENTS', 'This is not a password hash.');
    await mustRun('chpasswd', ['--encrypted'], { input: `${user}:${hash}\n` });
  }

  /** Removes the password. */
  async dropPassword({ user }: SiteUser): Promise<void> {
    await mustRun('usermod', ['--password', '*', '--', user]);
  }

  /**
   * Blocks sign-in of a user by password and key, or allows it again.
   *
   * @returns whether open sessions still have to be closed; stays true until {@link noteEnded}, also after a crash
   */
  async setOpen({ user }: SiteUser, isOpen: boolean): Promise<boolean> {
    const line = ((await readText('/etc/shadow')) ?? '').split('\n').find((one) => one.startsWith(`${user}:`));
    const expires = line?.split(':')[7] ?? '';
    if (isOpen && expires !== '') await mustRun('usermod', ['--expiredate', '', '--', user]);
    if (isOpen || expires === ENDED) return false;
    if (expires === '') await mustRun('usermod', ['--expiredate', ENDING, '--', user]);
    return true;
  }

  /** Records that all sessions of a user blocked by {@link setOpen} have been closed. */
  async noteEnded({ user }: SiteUser): Promise<void> {
    await mustRun('usermod', ['--expiredate', ENDED, '--', user]);
  }

  /** Kills all processes of this user: SFTP sessions, commands, PHP. */
  async endProcesses({ uid }: SiteUser): Promise<void> {
    for (const pid of await processesOf(uid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (codeOf(error) !== 'ESRCH') throw error;
      }
    }
  }

  /** Removes user and group; its files are removed elsewhere. */
  async remove({ user }: SiteUser): Promise<void> {
    if ((await idOf(user)) === null) return;
    const end = await runProgram('userdel', ['--', user]);
    // A process that is just exiting still counts.
    if (end.code === USER_BUSY) await mustRun('userdel', ['--force', '--', user]);
    else if (end.code !== 0) throw failureOfProgram(end, 'PROGRAM', `userdel exited with ${end.code}`);
  }
}

/** Returns the UID of a user; null if it does not exist. */
export async function idOf(user: string): Promise<number | null> {
  return fieldOf('/etc/passwd', user);
}

/** Returns the GID of a group; null if it does not exist. */
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
