import { Injectable } from '@nestjs/common';

import { checkVersion } from '../../http/index.js';
import { ListInput, ListReply, NoInput, Operation, readIdList, RawReply, SuccessReply } from '../../operations/index.js';

import { refuse } from './name-errors.js';
import { AddZoneInput, ChangeZoneInput, NameIdInput, SwitchZoneInput, ZoneIdsInput } from './name-inputs.js';
import { NameProviders } from './name-providers.js';
import { NameRows, zoneFields } from './name-rows.js';
import { DEFAULT_TERMS, Zones, type ZoneTerms } from './zones.js';

/** Operations on domains whose second-level names are sold. Source: docs/panel-api.md "Names for sale". */
@Injectable()
export class ZoneOperations {
  constructor(
    private readonly zones: Zones,
    private readonly rows: NameRows,
    private readonly providers: NameProviders,
  ) {}

  @Operation({ side: 'admin', gn: 'listym', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput): Promise<ListReply> {
    const { total, rows } = await this.zones.page((page - 1) * limit, limit);
    return new ListReply(
      total,
      rows.map((zone) => this.rows.zone(zone)),
    );
  }

  @Operation({ side: 'admin', gn: 'ymsj', auth: 'admin', input: NameIdInput, audit: null, rate: 'read' })
  async one({ id }: NameIdInput): Promise<RawReply> {
    return new RawReply(this.rows.zone(await this.zones.find(id)));
  }

  /** Lists the DNS providers a zone can use. */
  @Operation({ side: 'admin', gn: 'ymfws', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async dnsProviders(): Promise<ListReply> {
    const rows = await this.providers.all();
    return new ListReply(
      rows.length,
      rows.map(({ id, name }) => ({ id, name })),
    );
  }

  @Operation({ side: 'admin', gn: 'addym', auth: 'admin', input: AddZoneInput, audit: 'names.audit_zone_added', rate: 'write' })
  async add(input: AddZoneInput): Promise<SuccessReply> {
    const id = await this.zones.add({ ...DEFAULT_TERMS, ...termsOf(input), domain: input.url, nodeCode: input.bt });
    const { domain } = await this.zones.find(id);
    return new SuccessReply('names.zone_added', { id }, { domain });
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'xgym', auth: 'admin', input: ChangeZoneInput, audit: 'names.audit_zone_changed', rate: 'write' })
  async change(input: ChangeZoneInput): Promise<SuccessReply> {
    const zone = await this.zones.change(input.id, termsOf(input), (present) => checkVersion(input.row_version, zoneFields(present)));
    return new SuccessReply('names.zone_saved', {}, { domain: zone.domain });
  }

  @Operation({ side: 'admin', gn: 'ymkg', auth: 'admin', input: SwitchZoneInput, audit: 'names.audit_zone_switched', rate: 'write' })
  async switch({ id, kg }: SwitchZoneInput): Promise<SuccessReply> {
    const { domain } = await this.zones.change(id, { onSale: kg });
    return new SuccessReply(kg ? 'names.zone_on' : 'names.zone_off', {}, { domain });
  }

  @Operation({ side: 'admin', gn: 'ymsc', auth: 'admin', input: NameIdInput, audit: 'names.audit_zone_removed', rate: 'write' })
  async remove({ id }: NameIdInput): Promise<SuccessReply> {
    const { domain } = await this.zones.find(id);
    if ((await this.zones.remove([id])).used.length > 0) refuse('ZONE_USED', { domain });
    return new SuccessReply('names.zone_removed', {}, { domain });
  }

  @Operation({ side: 'admin', gn: 'ymscxz', auth: 'admin', input: ZoneIdsInput, audit: 'names.audit_zones_removed', rate: 'write' })
  async removeSome({ idsz }: ZoneIdsInput): Promise<SuccessReply> {
    const { removed, used } = await this.zones.remove(readIdList(idsz).ids);
    const counts = { n: removed.length, failed: used.length };
    return new SuccessReply('names.zones_removed', { removed, used }, counts);
  }
}

/** Returns the terms given in a form. */
function termsOf(input: Omit<ChangeZoneInput, 'id'>): Partial<ZoneTerms> {
  const { jg, ymjs, kg, channel, provider_id, ys, sl, blqz, kxts, xxts } = input;
  const given = {
    price: jg,
    description: ymjs,
    onSale: kg,
    // Naming a provider, or none, implies how records are created.
    channel: channel ?? (provider_id === undefined ? undefined : provider_id > 0 ? 'dnsapi' : 'pan'),
    // A zone with a wildcard record has no provider, even if the form still names one.
    providerId: channel === 'pan' ? 0 : provider_id,
    months: ys,
    perCustomer: sl,
    reserved: blqz,
    graceDays: kxts,
    restDays: xxts,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
