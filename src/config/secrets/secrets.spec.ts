import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ConfigurationError } from '../environment.js';

import { loadSecretKey, SECRET_KEY_FILE } from './secret-key.js';
import { Secrets } from './secrets.js';

describe('encrypted texts', () => {
  const secrets = new Secrets(randomBytes(32));

  it('decrypt to the original, and are never identical', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = secrets.seal(text, 'mail.password');
        expect(secrets.open(sealed, 'mail.password')).toBe(text);
        expect(secrets.seal(text, 'mail.password')).not.toBe(sealed);
      }),
    );
  });

  it('cannot be decrypted in another place, with another key, changed, or truncated', () => {
    const sealed = secrets.seal('s3cret', 'mail.password');
    expect(secrets.open(sealed, 'channel.3')).toBeNull();
    expect(new Secrets(randomBytes(32)).open(sealed, 'mail.password')).toBeNull();
    for (let at = 'sealed:1:'.length; at < sealed.length; at += 1) {
      expect(secrets.open(sealed.slice(0, at), 'mail.password')).toBeNull();
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      // The last digit has bits that stand for nothing.
      if (at < sealed.length - 1) expect(secrets.open(changed, 'mail.password')).toBeNull();
    }
    for (const text of ['', 's3cret', 'sealed:1:', 'sealed:2:AAAA']) expect(secrets.open(text, 'mail.password')).toBeNull();
  });
});

describe('the key file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'secret-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is created once, readable only by its owner, and kept', () => {
    const dataDir = join(folder, 'not', 'there');
    const key = loadSecretKey(dataDir);
    expect(key).toHaveLength(32);
    expect(statSync(join(dataDir, SECRET_KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(loadSecretKey(dataDir).equals(key)).toBe(true);
    expect(readdirSync(dataDir)).toEqual([SECRET_KEY_FILE]);
  });

  it('is never overwritten: an invalid key is rejected with its path', () => {
    const path = join(folder, SECRET_KEY_FILE);
    for (const text of ['', 'zz'.repeat(32), 'ab'.repeat(31)]) {
      writeFileSync(path, text);
      expect(() => loadSecretKey(folder)).toThrow(ConfigurationError);
      expect(() => loadSecretKey(folder)).toThrow(path);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('loses permissions for other users', () => {
    const key = 'ab'.repeat(32);
    writeFileSync(join(folder, SECRET_KEY_FILE), key, { mode: 0o644 });
    expect(loadSecretKey(folder).toString('hex')).toBe(key);
    expect(statSync(join(folder, SECRET_KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, SECRET_KEY_FILE))).toBe(true);
  });
});
