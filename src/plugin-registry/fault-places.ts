import { translate, type Locale, type Words } from '../common/index.js';

/** Places in a plugin's code as named in the log and in rows, with the key of their text `plugins.place.<key>`; the first match counts. */
const PLACES: readonly (readonly [form: RegExp, key: string])[] = [
  [/^a timer or event listener$/, 'timer_or_listener'],
  [/^a promise nobody awaits$/, 'promise'],
  [/^taking back a registration$/, 'taking_back'],
  [/^activation$/, 'activation'],
  [/^shutdown$/, 'shutdown'],
  [/^timer$/, 'timer'],
  [/^process listener$/, 'process_listener'],
  [/^home page$/, 'home'],
  [/^auth of (?<place>.+)$/s, 'auth'],
  [/^actor of (?<place>.+)$/s, 'actor'],
  [/^listener of (?<name>.+)$/s, 'listener'],
  [/^operation (?<name>.+)$/s, 'operation'],
  [/^route (?<name>.+)$/s, 'route'],
  [/^page (?<name>.+)$/s, 'page'],
  [/^list (?<name>.+)$/s, 'list'],
  [/^override (?<name>.+)$/s, 'override'],
  [/^widget (?<name>.+)$/s, 'widget'],
  [/^job (?<name>.+)$/s, 'job'],
  [/^cron (?<name>.+)$/s, 'cron'],
  [/^service (?<name>.+)$/s, 'service'],
  [/^(?<name>\w+) of the gateway$/, 'gateway'],
  [/^notice channel (?<name>.+)$/s, 'channel'],
  [/^test of the notice channel (?<name>.+)$/s, 'channel_test'],
  [/^(?<part>\w+) of the DNS provider (?<name>.+)$/s, 'dns'],
  [/^host driver (?<name>[^:]+): (?<part>.+)$/s, 'driver'],
];

/** Translates a place in a plugin's code; unknown places are kept unchanged. Stored and logged places stay English. */
export function sayPlace(locale: Locale, place: string): string {
  for (const [form, key] of PLACES) {
    const found = form.exec(place);
    if (!found) continue;
    const { place: inner, ...names } = found.groups ?? {};
    return translate(locale, `plugins.place.${key}`, { ...names, ...(inner !== undefined && { place: sayPlace(locale, inner) }) });
  }
  return place;
}

/** Translates places inside texts such as `place: reason`, at any nesting level. */
export function sayPlaces(locale: Locale, message: Words): Words {
  if (typeof message === 'string') return message;
  const { place, reason } = message.params ?? {};
  const params = {
    ...message.params,
    ...(typeof place === 'string' && { place: sayPlace(locale, place) }),
    ...(typeof reason === 'object' && { reason: sayPlaces(locale, reason as Words) }),
  };
  return { ...message, params };
}
