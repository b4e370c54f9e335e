import { MAX_IDS, readIdList, type IdList } from '../../operations/index.js';

import { HostOperationError } from './host-errors.js';

/**
 * Parses the host ids of a bulk operation.
 *
 * @throws HostOperationError INVALID_FIELDS if there are none, or more than {@link MAX_IDS}
 */
export function readIds(text: string): IdList {
  const list = readIdList(text);
  const count = list.ids.length + list.invalid.length;
  if (count === 0) throw new HostOperationError('INVALID_FIELDS', {}, { idsz: 'hosting.field_ids_none' });
  if (count > MAX_IDS) throw new HostOperationError('INVALID_FIELDS', {}, { idsz: 'hosting.field_ids_many' });
  return list;
}
