import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { HostsService, SVC_FACADE, type CallContext, type HostRecord, type SvcFacade } from '@svc/sdk';

import { dayOf } from './form-fields.js';
import { lastDayForm, readLimits } from './host-input.js';
import { Members } from './members.js';
import { Openings, SUSPENDED } from './openings.js';
import type { Pool } from './pools.js';
import { PoolRefusal } from './refusals.js';

/** Actions of a sub-reseller on a host. */
export const HOST_ACTIONS = ['renew', 'suspend', 'resume', 'limits', 'reset', 'delete'] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];

/** Result of an action. */
export interface HostActionResult {
  /** Message for the caller. */
  readonly text: string;
  /** A generated password, shown only once. */
  readonly password?: string;
}

/** Sub-resellers' actions on hosts of their own pool. */
@Injectable()
export class HostActions {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(Members) private readonly members: Members,
    @Inject(Openings) private readonly openings: Openings,
  ) {}

  /** Returns a host of a pool; null for any other host, existing or not. */
  async hostOf(pool: Pool, hostId: number): Promise<HostRecord | null> {
    const member = hostId > 0 ? await this.members.ofHost(pool.id, hostId) : null;
    return member && this.hosts.get(hostId);
  }

  /** @throws PoolRefusal; RefusedForm; errors of the panel */
  async run(action: HostAction, pool: Pool, hostId: number, ctx: CallContext): Promise<HostActionResult> {
    const host = await this.hostOf(pool, hostId);
    if (!host) throw new PoolRefusal('HOST_MISSING');
    const done = await this.handlers[action](pool, host, ctx);
    this.svc.log.info('a sub-reseller changed a host', { pool: pool.id, host: host.id, action, ip: ctx.ip });
    return done;
  }

  private readonly handlers: Readonly<Record<HostAction, (pool: Pool, host: HostRecord, ctx: CallContext) => Promise<HostActionResult>>> = {
    renew: async (pool, host, { body, t }) => {
      const day = dayOf(body.expire_date);
      if (day === null) throw new PoolRefusal('LAST_DAY', 'expire_date', { day: pool.expiresOn || t('never') });
      // Not locked: besides this only the panel changes the day, and that involves a call to the server.
      this.svc.svc_check_row_version(body.row_version, lastDayForm(host));
      await this.openings.renew(pool, host.id, day || null);
      return { text: t('done_renewed', { day: day || t('never') }) };
    },
    suspend: async (_pool, host, { t }) => {
      await this.hosts.pause(host.id, SUSPENDED);
      return { text: t('done_suspended') };
    },
    resume: async (_pool, host, { t }) => {
      const { status } = await this.hosts.unpause(host.id, SUSPENDED);
      return { text: t(status === 'active' ? 'done_resumed' : 'done_resumed_still') };
    },
    limits: async (pool, host, ctx) => {
      const { limits, problems } = readLimits(ctx);
      if (Object.keys(problems).length > 0) throw new PoolRefusal('AMOUNT', Object.keys(problems));
      await this.openings.change(pool.id, host.id, limits, ctx.body.row_version);
      return { text: ctx.t('done_limits') };
    },
    reset: async (_pool, host, { body, t }) => {
      const given = body.password ?? '';
      const password = given === '' ? newPassword() : given;
      await this.hosts.setPassword(host.id, password);
      return { text: t('done_reset'), ...(given === '' && { password }) };
    },
    delete: async (_pool, host, { body, t }) => {
      if ((body.confirm ?? '').trim().toLowerCase() !== host.user.toLowerCase()) throw new PoolRefusal('CONFIRM', 'confirm');
      await this.hosts.terminate(host.id);
      await this.members.removeHost(host.id);
      return { text: t('done_deleted', { user: host.user }) };
    },
  };
}

/** Generates 16 characters without similar-looking ones. */
export function newPassword(): string {
  const characters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const picked: string[] = [];
  while (picked.length < 16) {
    // Bytes beyond the last whole multiple are discarded, since they would favour the first characters.
    picked.push(
      ...[...randomBytes(32)].filter((byte) => byte < 256 - (256 % characters.length)).map((byte) => characters[byte % characters.length]!),
    );
  }
  return picked.slice(0, 16).join('');
}
