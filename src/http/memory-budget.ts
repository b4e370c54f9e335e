const MEBIBYTE = 1024 * 1024;

/** Sender of a request body, as far as it is authenticated: a header alone makes nobody more than a stranger. */
export interface Sender {
  readonly kind: 'stranger' | 'account' | 'administrator';
  /** Whose share it counts against: the network of a stranger ({@link addressForLimits}), the account of somebody signed in. */
  readonly who: string;
}

/** What everybody of a kind may have in memory at once, in bytes. */
interface Pool {
  readonly all: number;
  /** One sender with one body. */
  readonly lone: number;
  /** One sender with several bodies. */
  readonly several: number;
}

/** Kinds do not take from each other: whatever strangers do, customers have room, and whatever these do, administrators have. */
const POOLS: Readonly<Record<Sender['kind'], Pool>> = {
  stranger: { all: 32 * MEBIBYTE, lone: 16 * MEBIBYTE, several: 8 * MEBIBYTE },
  account: { all: 128 * MEBIBYTE, lone: 64 * MEBIBYTE, several: 32 * MEBIBYTE },
  administrator: { all: 128 * MEBIBYTE, lone: 64 * MEBIBYTE, several: 32 * MEBIBYTE },
};

interface Share {
  bytes: number;
  bodies: number;
}

/** Memory reserved for one request body, in bytes. */
export class Holding {
  private bytes = 0;

  constructor(
    private readonly pool: PoolInUse,
    private readonly who: string,
    private readonly share: Share,
  ) {
    share.bodies += 1;
  }

  /**
   * Takes more.
   *
   * @returns `own` or `all`, and takes nothing, where that is more than the sender may have, or than is left for
   * others; null where it was taken
   */
  take(bytes: number): 'own' | 'all' | null {
    const { pool, share } = this;
    const most = share.bodies > 1 ? pool.most.several : pool.most.lone;
    if (share.bytes + bytes > most) return 'own';
    // Never more than is left: so there is always something for who comes next.
    if (share.bytes + bytes > pool.most.all - pool.taken - bytes) return 'all';
    pool.taken += bytes;
    share.bytes += bytes;
    this.bytes += bytes;
    return null;
  }

  /** Gives everything back. Once. */
  giveBack(): void {
    const { pool, share } = this;
    pool.taken -= this.bytes;
    share.bytes -= this.bytes;
    share.bodies -= 1;
    if (share.bodies === 0) pool.shares.delete(this.who);
  }
}

class PoolInUse {
  taken = 0;
  readonly shares = new Map<string, Share>();

  constructor(readonly most: Pool) {}
}

/** The memory that the bodies of requests may take in this process, whatever they are for. */
export class MemoryBudget {
  private readonly pools: Readonly<Record<Sender['kind'], PoolInUse>>;

  constructor(pools: Readonly<Record<Sender['kind'], Pool>> = POOLS) {
    this.pools = {
      stranger: new PoolInUse(pools.stranger),
      account: new PoolInUse(pools.account),
      administrator: new PoolInUse(pools.administrator),
    };
  }

  /** Opens an account for one body. */
  open({ kind, who }: Sender): Holding {
    const pool = this.pools[kind];
    let share = pool.shares.get(who);
    if (!share) pool.shares.set(who, (share = { bytes: 0, bodies: 0 }));
    return new Holding(pool, who, share);
  }

  /** Bytes taken of a kind. */
  taken(kind: Sender['kind']): number {
    return this.pools[kind].taken;
  }
}
