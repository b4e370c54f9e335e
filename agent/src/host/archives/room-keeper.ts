import * as fs from 'node:fs/promises';
import { Transform } from 'node:stream';

import { HostRefusal } from '../refusal.js';

/** What stays free on the disk, of all it has: databases and sites of this server lie there too. */
const FREE_SHARE = 0.02;
/** How much is written until it is looked again how much room there is: others write meanwhile. */
const LOOK_BYTES = 8 * 1024 * 1024;

/**
 * Lets through what is written into a folder as long as enough of its disk stays free; then it ends with `DISK_FULL`, while everybody else
 * can still write.
 */
export function roomKeeper(folder: string): Transform {
  let [room, since] = [0, Infinity];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = (): void => {
        since += chunk.length;
        if (since > room) done(new HostRefusal('DISK_FULL', 'The disk of the server would be full.'));
        else done(null, chunk);
      };
      if (since + chunk.length <= Math.min(room, LOOK_BYTES)) return pass();
      fs.statfs(folder).then(({ bavail, blocks, bsize }) => {
        [room, since] = [(bavail - blocks * FREE_SHARE) * bsize, 0];
        pass();
      }, done);
    },
  });
}
