import { Get, Post } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty, versionOf } from '../../http/index.js';
import { actorOf, AuditedWithin } from '../audit/index.js';
import { Answer, Call, type StoreCall } from '../call/index.js';
import { ApiData, Body, ROW_VERSION, RowVersion, StoreAccess, StoreController, TIME } from '../http/index.js';

import { PackageSigner } from './package-signer.js';
import { Revocations } from './revocations.js';
import { SigningKeys, type StorePublicKey } from './signing-keys.js';

const KEY_ID = { description: 'The first 16 hex digits of the SHA-256 of the key (SPKI, DER)' };
const PEM = { description: 'SPKI in PEM' };

/** A key and its certificate by the previous one. */
class StoreKey {
  @ApiProperty(KEY_ID) key_id!: string;
  @ApiProperty(PEM) public_key!: string;
  @ApiProperty(TIME) since!: string;
  @ApiProperty({ description: 'Signature by the previous key: Ed25519, base64; empty for the first key' }) succession!: string;
}

/** The current signing key. */
class SigningKey {
  @ApiProperty({ description: 'As in `key_id` of versions' }) key_id!: string;
  @ApiProperty({ enum: ['ed25519'] }) algorithm!: 'ed25519';
  @ApiProperty(PEM) public_key!: string;
  @ApiProperty({ type: [StoreKey], maxItems: 200, description: 'All keys, the current one last' }) keys!: StoreKey[];
  @ApiProperty(ROW_VERSION) row_version!: string;
}

/** The blocked files. */
class RevocationList {
  @ApiProperty({ description: 'JSON: `issued_at`, and `blocked` with `sha256`, `reason` and `since` of each file or package' })
  list!: string;
  @ApiProperty({ description: 'Ed25519, base64, over `svc-revocations-v1`, a line feed and `list`' }) signature!: string;
  @ApiProperty(KEY_ID) key_id!: string;
}

/** Request for a new key. */
export class NewKeyForm {
  @RowVersion() row_version?: string;
}

class NewKey {
  @ApiProperty(KEY_ID) key_id!: string;
}

/** Public keys for verifying packages. */
@StoreController('signing-key')
export class SigningKeyController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({
    summary: 'The public key of this store',
    description: 'Verifiers must store it: a store whose key is not certified by the stored key is another store.',
  })
  @ApiData(SigningKey)
  async key(): Promise<SigningKey> {
    const all = await this.keys.all();
    const { keyId, pem } = all.at(-1)!;
    return { key_id: keyId, algorithm: 'ed25519', public_key: pem, keys: all.map(wireKey), row_version: versionOf({ key_id: keyId }) };
  }
}

/** Serves the list of blocked files and packages. */
@StoreController('revocations')
export class RevocationsController {
  constructor(private readonly revocations: Revocations) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({
    summary: 'Blocked files and packages',
    description: 'The newest 10,000. Panels disable installed packages that contain them.',
  })
  @ApiData(RevocationList)
  async revoked(): Promise<RevocationList> {
    const { list, signature, keyId } = await this.revocations.signed();
    return { list, signature, key_id: keyId };
  }
}

/** Key rotation by administrators. */
@StoreController('admin/signing-key')
export class KeyChangeController {
  constructor(private readonly signer: PackageSigner) {}

  @Post()
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('key.rotate')
  @ApiOperation({
    summary: 'Creates a new key',
    description: 'The old key certifies it and is deleted; every published version is signed again.',
  })
  @ApiData(NewKey)
  async rotate(@Call() call: StoreCall, @Body() { row_version: version }: NewKeyForm): Promise<Answer> {
    return new Answer('store.key_rotated', { key_id: await this.signer.rotate(actorOf(call), version) });
  }
}

function wireKey({ keyId, pem, succession, since }: StorePublicKey): StoreKey {
  return { key_id: keyId, public_key: pem, since: since.toISOString(), succession };
}
