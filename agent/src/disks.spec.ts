import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { Disks, mountsOf } from './disks.js';

/** As `/proc/self/mounts` has it. Source: proc(5), fstab(5) for `\040`. */
const TABLE = `overlay / overlay rw,lowerdir=/var/lib 0 0
proc /proc proc rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/sda1 /var/lib/docker/x ext4 rw 0 0
/dev/sda1 /data ext4 rw 0 0
/dev/sdb1 /my\\040disk xfs rw 0 0
tank/home /home zfs rw 0 0
/dev/loop3 /snap/core/1 squashfs ro 0 0
10.0.0.9:/export /mnt/nfs nfs4 rw 0 0
garbage
`;

it('lists each local disk once, and the root', () => {
  expect(mountsOf(TABLE)).toEqual(['/', '/data', '/home', '/my disk']);
  expect(mountsOf('')).toEqual([]);
});

it('measures disks like df, at most once a minute, and returns none if the system cannot list them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'disks-'));
  const table = path.join(folder, 'mounts');
  await writeFile(table, `/dev/a ${folder} ext4 rw 0 0\n/dev/b ${folder}/gone ext4 rw 0 0\n`);
  let now = 0;
  const disks = new Disks(() => now, table);
  const [found, ...others] = (await disks.measure())!;
  expect(others).toEqual([]);
  expect(found!.mount).toBe(folder);
  expect(found!.percent).toBeGreaterThanOrEqual(0);
  expect(found!.percent).toBeLessThanOrEqual(100);
  await rm(folder, { recursive: true });
  now = 59_999;
  expect(await disks.measure()).toHaveLength(1);
  now = 60_000;
  expect(await disks.measure()).toBeUndefined();
});
