/** When what somebody has open at a site by SFTP ends. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { HostingConfig } from '../../config/hosting-config.js';
import type { Services } from '../services/services.js';
import type { SiteRecord } from '../records/site-record.js';
import type { SystemUsers } from '../users/system-users.js';
import { Sftp } from './sftp.js';

let folder: string;
let isOpen: boolean;
/** Whether what was open is still to end. */
let isEnding: boolean;
/** What the system does where the agent is killed while it ends sessions. */
let whileEnding: (() => never) | null;
/** How often everything of the site was ended. */
let ended: number;
let sftp: Sftp;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sftp-'));
  mkdirSync(join(folder, 'keys'));
  [isOpen, isEnding, whileEnding, ended] = [true, false, null, 0];
  const users = {
    setOpen: (_site: unknown, wanted: boolean): Promise<boolean> => {
      isEnding = !wanted && (isOpen || isEnding);
      isOpen = wanted;
      return Promise.resolve(isEnding);
    },
    noteEnded: () => Promise.resolve(void (isEnding = false)),
    setPassword: () => Promise.resolve(),
    dropPassword: () => Promise.resolve(),
    setHash: () => Promise.resolve(),
    endProcesses: async () => {
      await Promise.resolve();
      whileEnding?.();
      ended += 1;
    },
  };
  const config = { settings: folder, root: join(folder, 'sites') } as HostingConfig;
  sftp = new Sftp(config, users as unknown as SystemUsers, {} as Services);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const site = ({ enabled = true, ...more }: Partial<SiteRecord> & { enabled?: boolean } = {}): SiteRecord =>
  ({
    user: 'svc00000001',
    uid: 20_001,
    suspended: false,
    isKept: false,
    isLeaving: false,
    sftp: { enabled, keys: [] },
    ...more,
  }) as SiteRecord;

it('ends when the password is changed or removed', async () => {
  await sftp.setPassword(site(), 'another one');
  await sftp.setPassword(site(), null);
  await sftp.setHash(site(), '$y$j9T$hash');
  expect(ended).toBe(3);
});

it('ends when the site is suspended, moved, recycled or SFTP is disabled, and on no other change', async () => {
  await sftp.apply(site());
  expect([isOpen, ended]).toEqual([true, 0]);
  for (const shut of [{ suspended: true }, { isLeaving: true }, { isKept: true }, { enabled: false }]) {
    ended = 0;
    await sftp.apply(site(shut));
    expect([shut, isOpen, ended]).toEqual([shut, false, 1]);
    await sftp.apply(site());
    expect([shut, isOpen, ended]).toEqual([shut, true, 1]);
  }
  // What else runs of a site that has it switched off goes on with every later change.
  await sftp.apply(site({ enabled: false }));
  ended = 0;
  await sftp.apply(site({ enabled: false }));
  expect([ended, readdirSync(join(folder, 'keys'))]).toEqual([0, []]);
});

it('ends at the next start if the agent was killed after access was disabled', async () => {
  const off = site({ enabled: false });
  whileEnding = () => {
    throw new Error('killed');
  };
  await expect(sftp.apply(off)).rejects.toThrow('killed');
  whileEnding = null;
  await sftp.apply(off);
  await sftp.apply(off);
  expect([isOpen, ended]).toEqual([false, 1]);
});
