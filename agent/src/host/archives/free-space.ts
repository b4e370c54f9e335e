import * as fs from 'node:fs/promises';
import { Transform } from 'node:stream';

import { HostRefusal } from '../refusal.js';

/** Share of the disk that stays free, because databases and sites of this server use it also. */
const FREE_SHARE = 0.02;
/** Bytes written between two checks of the free space; other processes write at the same time. */
const CHECK_EVERY_BYTES = 8 * 1024 * 1024;

/**
 * Passes data through while enough of the folder's disk stays free, then fails with `DISK_FULL`, so that other programs can still write.
 */
export function limitToFreeSpace(folder: string): Transform {
  let [room, since] = [0, Infinity];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = (): void => {
        since += chunk.length;
        if (since > room) done(new HostRefusal('DISK_FULL', 'The disk of the server does not have enough free space.'));
        else done(null, chunk);
      };
      if (since + chunk.length <= Math.min(room, CHECK_EVERY_BYTES)) return pass();
      fs.statfs(folder).then(({ bavail, blocks, bsize }) => {
        [room, since] = [(bavail - blocks * FREE_SHARE) * bsize, 0];
        pass();
      }, done);
    },
  });
}
