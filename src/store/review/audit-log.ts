import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreAudit } from '../entities/index.js';
import type { StoreCall } from '../http/index.js';

/** Who does something, from where. */
export interface Actor {
  readonly id: number;
  readonly name: string;
  readonly ip: string;
}

/** The {@link Actor} of a request that needs an account. */
export function actorOf({ caller, ip }: StoreCall): Actor {
  return { id: caller!.id, name: caller!.username, ip };
}

/** What administrators did; written in the transaction that does it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param action such as `item.approve` */
  async record(actor: Actor, action: string, subject: string, subjectId: number, detail: Record<string, unknown> = {}): Promise<void> {
    const rows = this.database.repository(StoreAudit);
    await rows.save(rows.create({ actorId: actor.id, actorName: actor.name, action, subject, subjectId, detail, ip: actor.ip.slice(0, 64), createdAt: this.clock.now() }));
  }
}
