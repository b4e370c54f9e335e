import { Get } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { Describe, shape, StoreAccess, StoreController } from '../http/index.js';
import { PackageSigner } from '../packages/index.js';

const SIGNING_KEY = shape.record({
  key_id: shape.text('As in `key_id` of versions: the first 16 hex digits of the SHA-256 of the key (SPKI, DER)'),
  algorithm: shape.oneOf('ed25519'),
  public_key: shape.text('SPKI in PEM'),
});

/** The key packages are verified with. */
@StoreController('signing-key')
export class SigningKeyController {
  constructor(private readonly signer: PackageSigner) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({
    summary: 'The public key of this store',
    details: 'Whoever verifies packages remembers it: a store that shows another one later is another store, or lost its key.',
    answers: SIGNING_KEY,
  })
  async read() {
    const { keyId, pem } = await this.signer.publicKey();
    return { key_id: keyId, algorithm: 'ed25519', public_key: pem };
  }
}
