import { DEFAULT_ADMIN_PASSWORD } from '../../config/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';

import { MAX_PASSWORD } from './account-forms.js';

/** Checks a new password. @param short error code for a password that is too short @throws StoreError INVALID */
export function checkStorePassword(password: string, short: StoreErrorCode): void {
  const { length } = [...password];
  if (length < 6) throw new StoreError(short);
  if (length > MAX_PASSWORD) throw new StoreError('PASSWORD_LONG');
  if (password === DEFAULT_ADMIN_PASSWORD) throw new StoreError('PASSWORD_PUBLISHED');
}
