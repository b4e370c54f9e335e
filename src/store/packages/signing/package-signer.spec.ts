import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { PackageSigner, verifyPackage } from './package-signer.js';
import { signedText, type SignedPackage } from './signed-text.js';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'svc-signer-')), 'store');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const signed: SignedPackage = {
  type: 'plugin',
  slug: 'demo',
  version: '1.0.0',
  sha256: 'a'.repeat(64),
  size: 1234,
  signedAt: '2026-01-02T03:04:05.000Z',
};

describe('PackageSigner', () => {
  it('signs what anybody can verify with the public key', async () => {
    const signer = new PackageSigner(folder);
    const { signature, keyId } = await signer.sign(signed);
    const key = await signer.publicKey();
    expect(keyId).toBe(key.keyId);
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(verifyPackage(signed, signature, key.pem)).toBe(true);
    // As docs/store-packages.md shows it, without this class.
    const text = `svc-package-v1\ntype:plugin\nslug:demo\nversion:1.0.0\nsha256:${'a'.repeat(64)}\nsize:1234\nsigned_at:2026-01-02T03:04:05.000Z\n`;
    expect(verify(null, Buffer.from(text), createPublicKey(key.pem), Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('verifies nothing else', async () => {
    const signer = new PackageSigner(folder);
    const { signature } = await signer.sign(signed);
    const { pem } = await signer.publicKey();
    const changes: Partial<SignedPackage>[] = [
      { type: 'theme' },
      { slug: 'demo2' },
      { version: '1.0.1' },
      { sha256: 'b'.repeat(64) },
      { size: 1235 },
      { signedAt: '2026-01-02T03:04:06.000Z' },
    ];
    for (const change of changes) expect(verifyPackage({ ...signed, ...change }, signature, pem)).toBe(false);
    expect(verifyPackage(signed, signature, (await new PackageSigner(join(folder, 'other')).publicKey()).pem)).toBe(false);
    for (const wrong of ['', 'AAAA', signature.slice(2)]) expect(verifyPackage(signed, wrong, pem)).toBe(false);
    expect(verifyPackage(signed, signature, 'no key')).toBe(false);
  });

  it('makes one key, readable by its owner only, whoever comes first', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await new PackageSigner(folder).publicKey()).keyId));
    expect(new Set(ids).size).toBe(1);
    expect(await readdir(folder)).toEqual(['signing-key.pem']);
    expect((await stat(join(folder, 'signing-key.pem'))).mode & 0o777).toBe(0o600);
    const before = await readFile(join(folder, 'signing-key.pem'));
    await new PackageSigner(folder).sign(signed);
    expect(await readFile(join(folder, 'signing-key.pem'))).toEqual(before);
  });

  it('makes no second key over one that cannot be read, and tries again', async () => {
    const signer = new PackageSigner(folder);
    await new PackageSigner(folder).publicKey();
    const good = await readFile(join(folder, 'signing-key.pem'), 'utf8');
    await writeFile(join(folder, 'signing-key.pem'), 'damaged');
    await expect(signer.sign(signed)).rejects.toThrow();
    await writeFile(join(folder, 'signing-key.pem'), good);
    await expect(signer.sign(signed)).resolves.toBeTruthy();
  });

  it('signs no value that could pass for two lines', () => {
    expect(() => signedText({ ...signed, version: '1\nslug:other' })).toThrow(/version/);
    expect(() => signedText({ ...signed, slug: '' })).toThrow(/slug/);
  });
});
