import { hash } from 'node:crypto';

/** The two fields that prove that a request knows the key. @param seconds since 1970 */
export function signature(key: string, seconds: number): { request_time: string; request_token: string } {
  const time = String(seconds);
  return { request_time: time, request_token: hash('md5', time + hash('md5', key, 'hex'), 'hex') };
}
