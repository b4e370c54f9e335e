import './texts.js';

export {
  AUTHOR_SIGNATURE_FILE,
  authorSignatureFile,
  authorSuccessionText,
  authorText,
  signedSince,
  verifiedKeys,
  type AuthorKey,
  type AuthorSignature,
  type SignedVersion,
} from './author-signature.js';
export { KeptPackage, type FileDigest, type KeptFile } from './kept-package.js';
export { PackageContents, ROOT_PATTERN, type PackageEntry } from './package-contents.js';
export { PACKAGE_LIMITS } from './package-limits.js';
export { MANIFEST_PROBLEMS, type PackageType } from './manifest-problems.js';
export { panelRangeOf, type PackageForm, type PackageManifest } from './package-manifest.js';
export { PackageRefusal } from './package-refusal.js';
export {
  addressOfPermission,
  newPermissions,
  grantedBy,
  isKnownPermission,
  PERMISSIONS,
  permissionsOf,
  UNDECLARED,
  type KnownPermission,
} from './permissions.js';
export { hasInvisible, printable, withoutControls } from './printable.js';
export { readPackage, type ReadPackage } from './read-package.js';
export { keyIdOf, verifyText } from './signatures.js';
export { revocationText, signedText, successionText, verifyPackage, type SignedPackage } from './signed-text.js';
export { compareVersions, meets } from './version-order.js';
