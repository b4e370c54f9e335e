import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { EditRequests } from '../items/index.js';

import { type Actor, StoreAuditLog } from '../audit/index.js';

/** Decides edit requests of authors. */
@Injectable()
export class EditDecisions {
  constructor(
    private readonly database: Database,
    private readonly edits: EditRequests,
    private readonly audit: StoreAuditLog,
  ) {}

  /** Decides a pending edit request. @throws StoreError NOT_FOUND, INVALID (already decided) */
  async decide(id: number, status: 'approved' | 'rejected', note: string, actor: Actor): Promise<void> {
    await this.database.transaction(async () => {
      const { itemId, field } = await this.edits.decide(id, status, note, actor.caller.id);
      await this.audit.record(actor, {
        action: status === 'approved' ? 'edit.approve' : 'edit.reject',
        subject: 'edit',
        subjectId: id,
        detail: { item_id: itemId, field, msg: note },
      });
    });
  }
}
