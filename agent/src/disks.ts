import { readFile, statfs } from 'node:fs/promises';

/** How full a file system is. */
export interface Disk {
  /** Where it is mounted. */
  mount: string;
  /** Of what anybody but root may use, 0 to 100, as `df` counts. */
  percent: number;
}

/** Disks change slowly, and each costs a question to the kernel. */
const MEASURED_EVERY_MS = 60_000;
const MOST_DISKS = 16;
/** Read-only by nature, and always full. */
const IMAGES = new Set(['squashfs', 'iso9660', 'erofs']);

/**
 * Local disks of a table of mounts, each once: what is behind a network can hang, and is somebody else's. `/`
 * always counts, in a container too.
 */
export function mountsOf(table: string): string[] {
  const found = new Map<string, string>();
  for (const line of table.split('\n')) {
    const [device = '', mount = '', type = ''] = line.split(' ');
    const place = mount.replace(/\\([0-7]{3})/g, (_text, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    const isDisk = (device.startsWith('/dev/') || type === 'zfs' || type === 'btrfs') && !IMAGES.has(type);
    if (!isDisk && place !== '/') continue;
    const known = found.get(device);
    // A disk may be mounted in several places, folders of containers among them: the shortest is its own.
    if (known === undefined || place.length < known.length) found.set(device, place);
  }
  return [...new Set(found.values())].sort().slice(0, MOST_DISKS);
}

/** Measures the disks of this server, at most once a minute. */
export class Disks {
  private last: { at: number; disks: Disk[] | undefined } | null = null;

  constructor(
    private readonly now: () => number,
    private readonly table = '/proc/self/mounts',
  ) {}

  /** What was found; undefined where this system does not say. */
  async measure(): Promise<Disk[] | undefined> {
    if (this.last && this.now() - this.last.at < MEASURED_EVERY_MS) return this.last.disks;
    const table = await readFile(this.table, 'utf8').catch(() => '');
    const found = await Promise.all(mountsOf(table).map((mount) => this.diskAt(mount)));
    const disks = found.filter((disk) => disk !== null);
    this.last = { at: this.now(), disks: disks.length > 0 ? disks : undefined };
    return this.last.disks;
  }

  private async diskAt(mount: string): Promise<Disk | null> {
    const { blocks, bfree, bavail } = await statfs(mount).catch(() => ({ blocks: 0, bfree: 0, bavail: 0 }));
    const used = blocks - bfree;
    return used + bavail > 0 ? { mount, percent: Math.round((used / (used + bavail)) * 1_000) / 10 } : null;
  }
}
