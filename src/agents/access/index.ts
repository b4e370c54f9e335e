export {
  type AuthenticRequest,
  isSigned,
  NodeAuthenticator,
  type NodeConnection,
  type NodeIdentity,
  type NodeRequest,
} from './node-authenticator.js';
export { jsonObject } from './json-object.js';
export { Nonces } from './nonces.js';
export { sign, type SigningSecrets } from './signature.js';
