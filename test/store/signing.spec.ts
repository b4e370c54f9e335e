import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { keyIdOf, revocationText, signedText, successionText, verifyPackage, verifyText } from '../../src/packaging/index.js';
import { StoreAudit, StoreSigningKey, StoreVersion } from '../../src/store/index.js';
import { createStartedPlace } from '../support/database.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { submit } from '../support/store-packages.js';

interface KeyAnswer {
  key_id: string;
  public_key: string;
  keys: { key_id: string; public_key: string; since: string; succession: string }[];
}
interface VersionAnswer {
  version: string;
  sha256: string;
  zip_size: number;
  signature: string;
  key_id: string;
  signed_at: string;
}

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
let visitor: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
  visitor = store.visitor();
});
afterAll(() => store.close());

const key = async (): Promise<KeyAnswer> => (await visitor.get<KeyAnswer>('/signing-key')).data;

async function published(slug: string): Promise<number> {
  const { data } = await submit(alice, slug);
  expect((await admin.call('PUT', `/admin/items/${data.id}/approve`)).status).toBe(200);
  return data.id;
}

/** Whether a published version is signed with the store's current key, for exactly its content. */
async function isSigned(id: number, slug: string): Promise<boolean> {
  const [found] = (await visitor.get<VersionAnswer[]>(`/items/${id}/versions`)).data;
  const { version, sha256, zip_size: size, signed_at: signedAt, signature, key_id } = found!;
  const present = await key();
  return (
    key_id === present.key_id && verifyPackage({ type: 'plugin', slug, version, sha256, size, signedAt }, signature, present.public_key)
  );
}

describe('the signing key of a store', () => {
  it('is created once, whoever asks first, and stored encrypted in the database', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await key()).key_id));
    expect(new Set(ids).size).toBe(1);
    const rows = await store.database.repository(StoreSigningKey).find();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.privateKey).toMatch(/^sealed:1:/);
    expect(rows[0]!.privateKey).not.toContain('PRIVATE');
    expect(keyIdOf(rows[0]!.publicKey)).toBe(ids[0]);
  });

  it('is replaced by one that it confirms, and every published version is signed again', async () => {
    const ids = [await published('first'), await published('second')];
    const old = await key();
    expect(await isSigned(ids[0]!, 'first')).toBe(true);
    expect((await alice.call('POST', '/admin/signing-key')).status).toBe(403);
    expect(await admin.call('POST', '/admin/signing-key')).toMatchObject({
      status: 200,
      data: { key_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    const now = await key();
    expect(now.key_id).not.toBe(old.key_id);
    expect(now.keys.map(({ key_id }) => key_id)).toEqual([old.key_id, now.key_id]);
    const statement = successionText({ from: old.key_id, to: now.key_id, signedAt: now.keys[1]!.since });
    expect(verifyText(statement, now.keys[1]!.succession, old.public_key)).toBe(true);
    expect(verifyText(statement, now.keys[1]!.succession, now.public_key)).toBe(false);
    expect(await isSigned(ids[0]!, 'first')).toBe(true);
    expect(await isSigned(ids[1]!, 'second')).toBe(true);
    // Nobody can sign with the old one any more.
    const [before] = await store.database.repository(StoreSigningKey).find({ order: { number: 'ASC' } });
    expect(before!.privateKey).toBe('');
    expect(await store.database.repository(StoreAudit).countBy({ action: 'key.rotate' })).toBe(1);
  });

  it('changed by two administrators at once leads to an unbroken chain', async () => {
    await Promise.all([admin.call('POST', '/admin/signing-key'), admin.call('POST', '/admin/signing-key')]);
    const { keys, key_id } = await key();
    expect(keys.at(-1)!.key_id).toBe(key_id);
    for (const [at, { key_id: to, since, succession }] of keys.entries()) {
      const from = keys[at - 1];
      if (from) expect(verifyText(successionText({ from: from.key_id, to, signedAt: since }), succession, from.public_key)).toBe(true);
    }
  });

  it('signs what a process that ended during a change left unsigned', async () => {
    const id = await published('left');
    await store.database.repository(StoreVersion).update({ itemId: id }, { keyId: 'of-another-key', signature: 'AAAA' });
    await admin.call('POST', '/admin/signing-key');
    expect(await isSigned(id, 'left')).toBe(true);
  });

  it('lost with the key of the installation is replaced by one that nothing confirms', async () => {
    const id = await published('lost');
    const { key_id } = await key();
    await store.database.repository(StoreSigningKey).update({ keyId: key_id }, { privateKey: '' });
    const { keys } = await key();
    expect(keys.at(-1)).toMatchObject({ succession: '' });
    expect(keys.at(-1)!.key_id).not.toBe(key_id);
    await admin.call('POST', '/admin/signing-key');
    expect(await isSigned(id, 'lost')).toBe(true);
  });

  it('signs the list of blocked files', async () => {
    const sha256 = 'ab'.repeat(32);
    await admin.call('POST', '/admin/blocked-digests', { sha256, reason: '含恶意代码\nsecond line' });
    const { list, signature, key_id } = (await visitor.get<{ list: string; signature: string; key_id: string }>('/revocations')).data;
    const present = await key();
    expect(key_id).toBe(present.key_id);
    expect(verifyText(revocationText(list), signature, present.public_key)).toBe(true);
    expect(verifyText(revocationText(list.replace('ab', 'cd')), signature, present.public_key)).toBe(false);
    expect(JSON.parse(list)).toMatchObject({ blocked: [{ sha256, reason: '含恶意代码\nsecond line' }] });
  });

  it('has its page, with its details and a button to change it', async () => {
    const before = await key();
    const html = await (
      await fetch(`${store.url}/store/review/key`, { headers: { cookie: admin.cookie, 'accept-language': 'en' } })
    ).text();
    expect(html).toContain(before.key_id);
    expect(html).toContain('action="/store/review/key"');
  });
});

describe('an upgraded store', () => {
  it('continues with its key from a file, which is no longer needed', async () => {
    const place = await createStartedPlace();
    const file = join(place.dataDir, 'store/signing-key.pem');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    mkdirSync(join(place.dataDir, 'store'), { recursive: true });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const other = await TestStore.on(place);
    try {
      const { public_key } = (await other.visitor().get<KeyAnswer>('/signing-key')).data;
      expect(public_key).toBe(publicKey.export({ type: 'spki', format: 'pem' }).toString());
      expect(existsSync(file)).toBe(false);
    } finally {
      await other.close();
    }
  });
});

it('signs no value that could be read as two lines', () => {
  const signed = {
    type: 'plugin',
    slug: 'demo',
    version: '1.0.0',
    sha256: 'a'.repeat(64),
    size: 1,
    signedAt: '2026-01-02T03:04:05.000Z',
  } as const;
  expect(() => signedText({ ...signed, version: '1\nslug:other' })).toThrow(/version/);
  expect(() => signedText({ ...signed, slug: '' })).toThrow(/slug/);
  expect(verifyPackage(signed, 'AAAA', 'no key')).toBe(false);
});
