import { createHmac, randomBytes } from 'node:crypto';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Clock, OutboundHttp } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask } from '../../jobs/index.js';
import { type StoreAuditEntry, StoreAuditLog } from '../audit/index.js';
import { StoreItem, StoreUser, StoreWebhook } from '../entities/index.js';
import { StoreError } from '../errors.js';

/** Name of the task that sends a message. */
const TASK = 'store.webhook';
const SEAL_PURPOSE = 'store.webhook';
/** Maximum webhooks per account. */
const MAX_WEBHOOKS = 5;
/** Response timeout in milliseconds, and maximum bytes read of a response. */
const [ANSWER_MS, ANSWER_BYTES] = [10_000, 16_384];
/** Events sent to webhooks: decisions about their owner's items. */
export const WEBHOOK_EVENTS = [
  'item.approve',
  'item.approve_trusted',
  'item.reject',
  'item.suspend',
  'item.delete',
  'edit.approve',
  'edit.reject',
] as const;

/** A queued message. */
interface Message {
  readonly hook: number;
  readonly event: string;
  readonly at: string;
  readonly data: object;
}

/** A webhook as shown to its owner. */
export interface WebhookState {
  readonly id: number;
  readonly url: string;
  readonly last_code: number | null;
  readonly last_at: string | null;
  readonly created_at: string;
}

/** Manages webhooks of authors. */
@Injectable()
export class Webhooks {
  private readonly lockOwner;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {
    this.lockOwner = database.statement('UPDATE {StoreUser} SET {StoreUser.status} = {StoreUser.status} WHERE {StoreUser.id} = ?');
  }

  /** Returns the webhooks of an account. */
  async list(userId: number): Promise<WebhookState[]> {
    const rows = await this.database.repository(StoreWebhook).find({ where: { userId }, order: { id: 'ASC' } });
    return rows.map(({ id, url, lastCode, lastAt, createdAt }) => ({
      id,
      url,
      last_code: lastCode,
      last_at: lastAt?.toISOString() ?? null,
      created_at: createdAt.toISOString(),
    }));
  }

  /** Adds a webhook. @returns its id and the signing secret, which is shown only once @throws StoreError WEBHOOK_LIMIT */
  async add(userId: number, url: string): Promise<{ id: number; secret: string }> {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`;
    return this.database.transaction(async () => {
      await this.lockOwner.run(userId);
      const hooks = this.database.repository(StoreWebhook);
      if ((await hooks.countBy({ userId })) >= MAX_WEBHOOKS) throw new StoreError('WEBHOOK_LIMIT', { most: MAX_WEBHOOKS });
      const sealed = this.secrets.seal(secret, SEAL_PURPOSE);
      const row = { userId, url, secret: sealed, lastCode: null, lastAt: null, createdAt: this.clock.now() };
      return { id: (await hooks.save(hooks.create(row))).id, secret };
    });
  }

  /** Removes a webhook. @throws StoreError WEBHOOK_MISSING */
  async remove(userId: number, id: number): Promise<void> {
    if (((await this.database.repository(StoreWebhook).delete({ id, userId })).affected ?? 0) === 0)
      throw new StoreError('WEBHOOK_MISSING');
  }

  /** Returns a webhook of an account. @throws StoreError WEBHOOK_MISSING */
  async require(userId: number, id: number): Promise<StoreWebhook> {
    const row = await this.database.repository(StoreWebhook).findOneBy({ id, userId });
    if (!row) throw new StoreError('WEBHOOK_MISSING');
    return row;
  }
}

/** Notifies authors of decisions: a message is queued in the decision's transaction and retried for about a day. */
@Injectable()
export class WebhookSender implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly queue: BackgroundQueue,
    private readonly http: OutboundHttp,
    private readonly log: StoreAuditLog,
  ) {}

  onModuleInit(): void {
    this.log.follow((entry) => this.onDecision(entry));
  }

  /** Queues a test message. */
  async ping(hook: number): Promise<void> {
    await this.add(hook, 'ping', {});
  }

  /** Sends one signed message. @throws Error if it was not accepted; the queue retries */
  @BackgroundTask({ name: TASK, attempts: 8, backoffSeconds: 120, timeoutMinutes: 1, concurrency: 4, forgetDone: true })
  async send(payload: unknown, { id }: { readonly id: string }): Promise<void> {
    const { hook, event, at, data } = payload as Message;
    const row = await this.database.repository(StoreWebhook).findOneBy({ id: hook });
    const secret = row && this.secrets.open(row.secret, SEAL_PURPOSE);
    if (!row || secret === null) return;
    const body = JSON.stringify({ event, at, ...data });
    const seconds = Math.floor(this.clock.now().getTime() / 1_000);
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    const answer = await this.http.request({
      url: row.url,
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-Store-Event': event,
        'X-Store-Delivery': id,
        'X-Store-Signature': `t=${seconds},v1=${signature}`,
      },
      timeoutMs: ANSWER_MS,
      maxBytes: ANSWER_BYTES,
      maxRedirects: 0,
    });
    await this.database.repository(StoreWebhook).update({ id: hook }, { lastCode: answer.code, lastAt: this.clock.now() });
    if (!answer.ok) throw new Error(answer.error || `HTTP ${answer.code}`);
  }

  private async onDecision({ action, subject, subjectId, detail = {} }: StoreAuditEntry): Promise<void> {
    if (!(WEBHOOK_EVENTS as readonly string[]).includes(action)) return;
    const itemId = subject === 'item' ? subjectId : Number(detail.item_id);
    const item = await this.database.repository(StoreItem).findOneBy({ id: itemId });
    // For a deleted item, the entry contains the author.
    const userId = item?.authorId ?? Number(detail.author_id);
    if (!Number.isInteger(userId) || !(await this.database.repository(StoreUser).existsBy({ id: userId }))) return;
    const hooks = await this.database.repository(StoreWebhook).findBy({ userId });
    const about = {
      item: { id: itemId, type: item?.type ?? detail.type, slug: item?.slug ?? detail.slug, name: item?.name ?? detail.name },
      ...(detail.version === undefined ? {} : { version: detail.version }),
      ...(detail.field === undefined ? {} : { field: detail.field }),
      msg: detail.msg ?? '',
    };
    for (const { id } of hooks) await this.add(id, action, about);
  }

  private async add(hook: number, event: string, data: object): Promise<void> {
    await this.queue.add(TASK, { hook, event, at: this.clock.now().toISOString(), data } satisfies Message);
  }
}
