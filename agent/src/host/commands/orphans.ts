import * as fs from 'node:fs/promises';

/** How often is looked again: what is ended may have begun something that nobody has any more either. */
const MOST_LOOKS = 5;

/**
 * Ends what commands of a site left behind: processes of its user whose parent has gone, whatever session they put themselves into. PHP,
 * SFTP and the agent's own work for the site have parents that stay.
 *
 * @param uid of the site, which no one else has
 */
export async function endOrphans(uid: number): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await orphansOf(uid);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }
}

async function orphansOf(uid: number): Promise<number[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const has = (name: string, value: string): boolean => new RegExp(`^${name}:\\s*${value}\\b`, 'm').test(status);
    if (has('Uid', String(uid)) && has('PPid', '1') && !has('State', 'Z')) found.push(Number(pid));
  }
  return found;
}
