import { Injectable } from '@nestjs/common';

import { ListInput, ListReply, NoInput, Operation, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { HostingAccount } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { isOf, NameRepository, type NameAvailability } from './name-repository.js';
import { refuse } from './name-errors.js';
import { BindNameInput, LookInput, NameIdInput, NameListInput, ReleaseInput } from './name-inputs.js';
import { NameRows } from './name-rows.js';
import { Names, ownerOf } from './names.js';
import { Zones } from './zones.js';

const AVAILABILITY_TEXTS: Record<NameAvailability | 'reserved', string> = {
  free: 'names.is_free',
  own: 'names.is_own',
  taken: 'names.is_taken',
  resting: 'names.is_resting',
  reserved: 'names.is_reserved',
};

/** Operations of administrators on taken names. */
@Injectable()
export class SoldNameOperations {
  constructor(
    private readonly repository: NameRepository,
    private readonly names: Names,
    private readonly rows: NameRows,
  ) {}

  @Operation({ side: 'admin', gn: 'ymbdlist', auth: 'admin', input: NameListInput, audit: null, rate: 'read' })
  async list({ id, page, limit }: NameListInput): Promise<ListReply> {
    const { total, rows } = await this.repository.page(id ?? null, (page - 1) * limit, limit);
    return new ListReply(total, await this.rows.names(rows));
  }

  /** Takes a name away from its owner; it is blocked for a while. */
  @Operation({ side: 'admin', gn: 'ymjb', auth: 'admin', input: ReleaseInput, audit: 'names.audit_released', rate: 'write' })
  async release({ id, user }: ReleaseInput): Promise<SuccessReply> {
    const row = await this.repository.find(id);
    const [shown] = await this.rows.names([row]);
    if (user !== '' && shown!.user !== user) refuse('NAME_MISSING');
    await this.names.release(row);
    return new SuccessReply('names.released', {}, { name: row.name });
  }

  /** Ends the block of a released name. */
  @Operation({ side: 'admin', gn: 'ymfc', auth: 'admin', input: NameIdInput, audit: 'names.audit_rest_ended', rate: 'write' })
  async endRest({ id }: NameIdInput): Promise<SuccessReply> {
    const { name } = await this.repository.find(id);
    await this.repository.endRest(id);
    return new SuccessReply('names.rest_ended', {}, { name });
  }
}

/** Operations of host owners on names. Source: docs/panel-api.md "Names for sale". */
@Injectable()
export class OwnNameOperations {
  constructor(
    private readonly access: SiteAccess,
    private readonly zones: Zones,
    private readonly repository: NameRepository,
    private readonly names: Names,
    private readonly rows: NameRows,
  ) {}

  /** Lists the zones for sale on the caller's server. */
  @Operation({ side: 'user', gn: 'ymlist', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async zonesOnSale(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const { account } = await this.access.ofOwner(ctx, 'read');
    const zones = await this.zones.onSale(account.nodeCode);
    return new ListReply(
      zones.length,
      zones.map((zone) => this.rows.zoneOnSale(zone)),
    );
  }

  /** Lists the caller's names. */
  @Operation({ side: 'user', gn: 'wdym', auth: 'user', input: ListInput, audit: null, rate: 'read' })
  async own({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply> {
    const { account } = await this.access.ofOwner(ctx, 'read');
    const { total, rows } = await this.repository.of(ownerOf(account), (page - 1) * limit, limit);
    return new ListReply(total, await this.rows.names(rows));
  }

  /** Checks whether a name is available. */
  @Operation({ side: 'user', gn: 'ymcx', auth: 'user', input: LookInput, audit: null, rate: 'expensive' })
  async check({ id, qz }: LookInput, ctx: CallContext): Promise<RawReply> {
    const { account } = await this.access.ofOwner(ctx, 'read');
    const zone = await this.zones.find(id);
    if (!zone.onSale) refuse('ZONE_MISSING');
    const { name, standing } = await this.names.check(zone, qz, account);
    const { jg, ys } = this.rows.zoneOnSale(zone);
    const msg = ctx.t(AVAILABILITY_TEXTS[standing], { name });
    return new RawReply({ success: true, qk: 1, code: msg, msg, name, state: standing, free: String(standing === 'free'), jg, ys });
  }

  /** Binds a name of the owner to the site, or assigns a free-of-charge one. */
  @Operation({ side: 'user', gn: 'ymbd', auth: 'user', input: BindNameInput, audit: 'names.audit_bound', rate: 'write' })
  async bind({ id, qz, ml }: BindNameInput, ctx: CallContext): Promise<SuccessReply> {
    const { account } = await this.access.ofOwner(ctx, 'change');
    const zone = await this.zones.find(id);
    const { name, standing } = await this.names.check(zone, qz, account);
    if (standing === 'own') {
      await this.names.show((await this.repository.byName(name))!, account, ml);
      return new SuccessReply('names.bound', { name }, { name });
    }
    if (zone.price > 0) refuse('PRICED', { zone: zone.domain });
    return this.taken(await this.names.take(zone, qz, account, ml, null), account);
  }

  /** Releases a name. */
  @Operation({ side: 'user', gn: 'ymjb', auth: 'user', input: NameIdInput, audit: 'names.audit_given_up', rate: 'write' })
  async release({ id }: NameIdInput, ctx: CallContext): Promise<SuccessReply> {
    const { account } = await this.access.ofOwner(ctx, 'change');
    const row = await this.repository.find(id);
    if (row.state !== 'sold' || !isOf(row, ownerOf(account))) refuse('NAME_MISSING');
    await this.names.release(row);
    return new SuccessReply('names.released', {}, { name: row.name });
  }

  /** Binds a new name. @throws the error that prevented it, after releasing the name, since an unusable free name is of no value */
  private async taken(row: Parameters<Names['showNew']>[0], account: HostingAccount): Promise<SuccessReply> {
    const { problem } = await this.names.showNew(row, account);
    if (problem !== null) {
      await this.repository.rest(row.id, 0);
      throw problem;
    }
    return new SuccessReply('names.got', { name: row.name, id: row.id }, { name: row.name });
  }
}
