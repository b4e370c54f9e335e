import { Get } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { ApiData, StoreAccess, StoreController } from '../http/index.js';
import { PackageSigner } from '../packages/index.js';

/** The key packages are signed with. */
class SigningKey {
  @ApiProperty({ description: 'As in `key_id` of versions: the first 16 hex digits of the SHA-256 of the key (SPKI, DER)' })
  key_id!: string;
  @ApiProperty({ enum: ['ed25519'] }) algorithm!: 'ed25519';
  @ApiProperty({ description: 'SPKI in PEM' }) public_key!: string;
}

/** The key packages are verified with. */
@StoreController('signing-key')
export class SigningKeyController {
  constructor(private readonly signer: PackageSigner) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({
    summary: 'The public key of this store',
    description: 'Whoever verifies packages remembers it: a store that shows another one later is another store, or lost its key.',
  })
  @ApiData(SigningKey)
  async read(): Promise<SigningKey> {
    const { keyId, pem } = await this.signer.publicKey();
    return { key_id: keyId, algorithm: 'ed25519', public_key: pem };
  }
}
