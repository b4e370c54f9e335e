import { Get } from '@nestjs/common';
import { IsInt, IsOptional, Matches, Min } from 'class-validator';
import { Transform } from 'class-transformer';

import { Rate } from '../../auth/index.js';
import { Paging, sliceOf } from '../call/index.js';
import { Describe, Query, shape, StoreAccess, StoreController } from '../http/index.js';

import { AuditNames, StoreAuditLog } from '../audit/index.js';

const toNumber = ({ value }: { value: unknown }): unknown => (/^\d{1,9}$/.test(String(value)) ? Number(value) : value);

/** Which part of the log. */
class AuditQuery extends Paging {
  @IsOptional() @Matches(/^[a-z_.-]{1,40}$/) action?: string;
  @IsOptional() @Matches(/^[a-z_-]{1,20}$/) subject?: string;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) subject_id?: number;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) actor_id?: number;
}

/** Before and after. */
const CHANGE = shape.list(shape.text());

const DETAIL = shape.named(
  'AuditDetail',
  shape.partial({
    msg: shape.text('The note'),
    from: shape.text('The state before'),
    version: shape.nullable(shape.text('The version that was decided')),
    blocked: shape.list(shape.sha256(), { description: 'Files on the list of blocked ones that were published knowingly' }),
    findings: shape.list(shape.text(), { description: 'Rules of the grave findings that were published knowingly' }),
    type: shape.text(),
    slug: shape.text(),
    name: shape.text('Of a deleted item'),
    status: shape.either(shape.text(), CHANGE),
    author_id: shape.id(),
    item_id: shape.id(),
    field: shape.text(),
    role: CHANGE,
    email: shape.text('That it changed'),
    avatar: shape.text('That it changed'),
    bio: shape.text('That it changed'),
    sha256: shape.sha256(),
    reason: shape.text(),
    failures: shape.count('Wrong passwords of an account from a network in an hour'),
    tokens_ended: shape.count('Tokens for programs that ended with a password'),
    token: shape.text('Name of a token'),
    file: shape.text('Name of a picture'),
    scopes: shape.list(shape.text()),
  }),
);

const ITEM = shape.named(
  'AuditItem',
  shape.record({
    id: shape.id(),
    type: shape.oneOf('plugin', 'theme'),
    name: shape.text('As it is now, or was when it was deleted'),
    exists: shape.flag('Whether it is still there'),
  }),
);

/** Whose account it is about, or whose item was deleted. */
const USER = shape.named('AuditUser', shape.record({ id: shape.id(), username: shape.text() }));

const ENTRY = shape.named(
  'AuditEntry',
  shape.record({
    id: shape.id(),
    actor_id: shape.count('0: somebody without an account'),
    actor_name: shape.text(),
    action: shape.text('Such as item.approve'),
    subject: shape.oneOf('item', 'edit', 'user', 'report', 'digest', 'token'),
    subject_id: shape.id(),
    detail: DETAIL,
    item: shape.nullable(ITEM),
    user: shape.nullable(USER),
    ip: shape.text(),
    created_at: shape.time(),
  }),
);

/** The log, for administrators. */
@StoreController('admin/logs')
export class AuditController {
  constructor(
    private readonly log: StoreAuditLog,
    private readonly names: AuditNames,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('admin')
  @Describe({
    summary: 'What administrators decided and, for 400 days, what accounts did for themselves, newest first',
    answers: shape.page(ENTRY),
    usual: { page: 1, page_size: 20 },
  })
  async list(@Query(AuditQuery) query: AuditQuery): Promise<object> {
    const slice = sliceOf(query, 20);
    const filter = { action: query.action, subject: query.subject, subjectId: query.subject_id, actorId: query.actor_id };
    const { total, entries } = await this.log.page(filter, slice);
    const names = await this.names.of(entries);
    const items = entries.map(({ id, actorId, actorName, action, subject, subjectId, detail, ip, createdAt }, i) => ({
      id,
      actor_id: actorId,
      actor_name: actorName,
      action,
      subject,
      subject_id: subjectId,
      detail,
      ...names[i],
      ip,
      created_at: createdAt.toISOString(),
    }));
    return { items, total, page: slice.page, page_size: slice.pageSize };
  }
}
