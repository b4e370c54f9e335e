import { Injectable } from '@nestjs/common';

import { MAX_ZONES, DEFAULT_TERMS, Zones, type ZoneTerms } from '../../hosting/index.js';
import type { NamesService, NameZoneTerms } from '../../sdk/index.js';

import { zoneRecord } from './name-records.js';

/** Zone management for plugins. */
@Injectable()
export class NameZoneFunctions {
  constructor(private readonly zones: Zones) {}

  functions(): Pick<NamesService, 'zones' | 'addZone' | 'changeZone' | 'removeZones'> {
    const { zones } = this;
    return {
      zones: async () => (await zones.page(0, MAX_ZONES)).rows.map(zoneRecord),
      addZone: (domain, node, terms = {}) => zones.add({ ...DEFAULT_TERMS, ...termsOf(terms), domain, nodeCode: node }),
      changeZone: async (id, terms) => void (await zones.change(id, termsOf(terms))),
      removeZones: (ids) => zones.remove(ids),
    };
  }
}

function termsOf({ provider, channel, ...others }: NameZoneTerms): Partial<ZoneTerms> {
  const named = provider === undefined ? {} : { providerId: provider };
  const entered = channel === undefined ? {} : { channel, ...(channel === 'pan' ? { providerId: 0 } : {}) };
  return { ...others, ...named, ...entered };
}
