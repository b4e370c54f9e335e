export { PackageSigner, type PackageSignature } from './package-signer.js';
export { Revocations } from './revocations.js';
export { KeyChangeController, NewKeyForm, RevocationsController, SigningKeyController } from './signing.controller.js';
export { SigningKeys } from './signing-keys.js';
