export { loadSecretKey, SECRET_KEY_FILE } from './secret-key.js';
export { SEALED_MARK, Secrets } from './secrets.js';
