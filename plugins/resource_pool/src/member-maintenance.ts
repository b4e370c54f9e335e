import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HostsService, SVC_FACADE, type SvcFacade } from '@svc/sdk';

import { Members } from './members.js';
import { Openings } from './openings.js';
import { Sessions } from './sessions.js';

/** Age after which an unfinished opening counts as interrupted, in milliseconds; running ones are never older. */
const INTERRUPTED_AFTER_MS = 60_000;
/** Age after which an opening without a host is given up, in milliseconds; no call takes that long. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;
/** Members checked per query. */
const PORTION = 1_000;

/** Result of a repair. */
export interface Repaired {
  /** Hosts of interrupted openings that are members now. */
  readonly adopted: number;
  /** Reservations that were released. */
  readonly released: number;
}

/** Keeps the members of pools consistent with the existing hosts. */
@Injectable()
export class MemberMaintenance implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(Members) private readonly members: Members,
    @Inject(Openings) private readonly openings: Openings,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('host.deleted', (_user, id) => this.members.removeHost(Number(id)), 10, { id: 'deleted' });
    this.svc.svc_add_action('cron', async () => {
      await this.repair();
      await this.sessions.sweep();
    });
  }

  /** Completes interrupted openings and changes: those with a host become members, others are released. */
  async repair(): Promise<Repaired> {
    let [adopted, released] = [0, 0];
    const given = new Set((await this.members.unfinished(new Date(Date.now() - GIVEN_UP_AFTER_MS))).map(({ id }) => id));
    for (const member of await this.members.unfinished(new Date(Date.now() - INTERRUPTED_AFTER_MS))) {
      if (member.state === 'changing') {
        if (given.has(member.id)) await this.members.changed(member.id);
        continue;
      }
      const host = await this.hosts.opened(member.openingKey);
      if (host && host.status !== 'provisioning') {
        await this.openings.finish(member, host);
        adopted += 1;
      } else if (!host && given.has(member.id)) {
        await this.members.giveUp(member.id);
        released += 1;
      }
    }
    return { adopted, released };
  }

  /** Removes memberships of hosts that no longer exist. */
  async prune(): Promise<number> {
    let removed = 0;
    for (let at = 0; ;) {
      const members = await this.members.after(at, PORTION);
      if (members.length === 0) return removed;
      const gone = (await this.members.present(members)).filter(({ hostId, host }) => hostId !== null && host === null);
      removed += await this.members.remove(gone.map(({ id }) => id));
      at = members.at(-1)!.id;
    }
  }
}
