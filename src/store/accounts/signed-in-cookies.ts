import type { ServerResponse } from 'node:http';

import { deviceCookie } from '../../auth/index.js';
import type { StoreCall } from '../call/index.js';
import { storeSessionCookie } from '../http/index.js';

import type { SignedInTokens } from './store-sessions.js';

/** Response headers of an answer that signs in, for the API document. */
export const NEW_SESSION = { 'Set-Cookie': 'A new session, and the device cookie' };

/** Sets the cookies of a new session and its device. */
export function setSignedInCookies(res: ServerResponse, { secure }: StoreCall, { token, device }: SignedInTokens): void {
  res.setHeader('Set-Cookie', [storeSessionCookie(token, secure), deviceCookie('store', device, secure)]);
}
