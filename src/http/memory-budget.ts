const MEBIBYTE = 1024 * 1024;

/** Sender of a request body, as far as authenticated: a header alone does not make it more than a stranger. */
export interface Sender {
  readonly kind: 'stranger' | 'account' | 'administrator';
  /** Key of the share: the network of a stranger ({@link addressForLimits}), or the account of a signed-in caller. */
  readonly who: string;
}

/** Memory limits of one kind of sender, in bytes. */
interface Pool {
  readonly all: number;
  /** Per sender with one body. */
  readonly lone: number;
  /** Per sender with several bodies. */
  readonly several: number;
}

/** The kinds are isolated: strangers cannot use up the memory of customers, nor customers that of administrators. */
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
export class Reservation {
  private bytes = 0;

  constructor(
    private readonly pool: PoolInUse,
    private readonly key: string,
    private readonly share: Share,
  ) {
    share.bodies += 1;
  }

  /**
   * Reserves more memory.
   *
   * @returns `own` or `all`, reserving nothing, if the sender or the pool has not enough left; null on success
   */
  take(bytes: number): 'own' | 'all' | null {
    const { pool, share } = this;
    const maxBytes = share.bodies > 1 ? pool.limits.several : pool.limits.lone;
    if (share.bytes + bytes > maxBytes) return 'own';
    // Never more than half of the remainder, so that the next body still finds some.
    if (share.bytes + bytes > pool.limits.all - pool.taken - bytes) return 'all';
    pool.taken += bytes;
    share.bytes += bytes;
    this.bytes += bytes;
    return null;
  }

  /** Releases the whole reservation. Call once. */
  release(): void {
    const { pool, share } = this;
    pool.taken -= this.bytes;
    share.bytes -= this.bytes;
    share.bodies -= 1;
    if (share.bodies === 0) pool.shares.delete(this.key);
  }
}

class PoolInUse {
  taken = 0;
  readonly shares = new Map<string, Share>();

  constructor(readonly limits: Pool) {}
}

/** Memory that request bodies may use in this process. */
export class MemoryBudget {
  private readonly pools: Readonly<Record<Sender['kind'], PoolInUse>>;

  constructor(pools: Readonly<Record<Sender['kind'], Pool>> = POOLS) {
    this.pools = {
      stranger: new PoolInUse(pools.stranger),
      account: new PoolInUse(pools.account),
      administrator: new PoolInUse(pools.administrator),
    };
  }

  /** Starts a reservation for one body. */
  open({ kind, who }: Sender): Reservation {
    const pool = this.pools[kind];
    let share = pool.shares.get(who);
    if (!share) pool.shares.set(who, (share = { bytes: 0, bodies: 0 }));
    return new Reservation(pool, who, share);
  }

  /** Bytes reserved by a kind of sender. */
  taken(kind: Sender['kind']): number {
    return this.pools[kind].taken;
  }
}
