export { type AuthenticRequest, isSigned, NodeAuthenticator, type NodeIdentity, type NodeRequest } from './node-authenticator.js';
export { Nonces } from './nonces.js';
export { sign, type SignedRequest, type SigningSecrets } from './signature.js';
