import { visitingProgram } from '../sdk/index.js';
import { translate, type Locale } from './i18n.js';

/**
 * Describes a visitor's browser and system: `Firefox on Windows`.
 *
 * @param userAgent the raw header
 */
export function visitorWords(userAgent: string, locale: Locale): string {
  const { name, system } = visitingProgram(userAgent);
  if (name !== '' && system !== '') return translate(locale, 'common.visitor', { name, system });
  return name || system || translate(locale, 'common.visitor_unknown');
}
