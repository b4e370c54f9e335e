import { translate } from '../../common/index.js';
import type { DriverField } from '../driver/index.js';

import { PIN_FIELD } from './client/index.js';
import { ROOT_FIELD, STANDARD_ROOT } from './sites/index.js';

/** A text field with translations from this feature. */
const field = (key: string, standard = ''): DriverField => ({
  key,
  type: 'text',
  required: false,
  standard,
  options: [],
  placeholder: standard,
  label: (locale) => translate(locale, `hosting.baota_${key}`),
  hint: (locale) => translate(locale, `hosting.baota_${key}_hint`),
});

/** Settings of a server running BaoTa, besides address, port and key. */
export const BAOTA_FIELDS: readonly DriverField[] = [field(ROOT_FIELD, STANDARD_ROOT), field(PIN_FIELD)];
