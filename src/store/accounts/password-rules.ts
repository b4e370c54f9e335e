import { DEFAULT_ADMIN_PASSWORD } from '../../config/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';

import { MAX_PASSWORD } from './account-forms.js';

/** What a new password has to be. @param short what one that is too short is refused with @throws StoreError INVALID */
export function checkStorePassword(password: string, short: StoreErrorCode): void {
  const { length } = [...password];
  if (length < 6) throw new StoreError(short);
  if (length > MAX_PASSWORD) throw new StoreError('PASSWORD_LONG');
  if (password === DEFAULT_ADMIN_PASSWORD) throw new StoreError('PASSWORD_PUBLISHED');
}
