import { Injectable } from '@nestjs/common';

import type { TextRef } from '../common/index.js';
import {
  KeptPackage,
  PackageContents,
  permissionsOf,
  readPackage,
  verifyPackage,
  type AuthorSignature,
  type PackageForm,
  type PackageType,
  type ReadPackage,
} from '../packaging/index.js';

import { PluginStoreError } from './errors.js';
import { digestOf, RevokedFiles } from './revoked-files.js';
import type { StoreVersionWire } from './store-wire.js';
import { TrustedKeys } from './trusted-keys.js';

/** A package that passed all checks and may be unpacked. */
export interface CheckedPackage {
  readonly slug: string;
  readonly version: string;
  readonly sha256: string;
  readonly permissions: readonly string[];
  readonly contents: PackageContents;
  /** The author's signature; null if unsigned. */
  readonly author: AuthorSignature | null;
}

/** Checks a package before it is unpacked: digest, signature, blocked files, and all package rules of a store. */
@Injectable()
export class PackageCheck {
  constructor(
    private readonly keys: TrustedKeys,
    private readonly revoked: RevokedFiles,
  ) {}

  /**
   * Checks a package downloaded from the store.
   *
   * @throws PluginStoreError DIGEST, SIGNATURE, BLOCKED, UNFIT, OTHER_VERSION; PackageRefusal for a broken rule
   */
  async ofStore(path: string, slug: string, listed: StoreVersionWire, type: PackageType = 'plugin'): Promise<CheckedPackage> {
    const { version, sha256, zip_size: size, signed_at: signedAt, signature, key_id } = listed;
    if ((await digestOf(path)) !== sha256) throw new PluginStoreError('DIGEST', { version });
    const { keyId, pem } = await this.keys.present();
    if (key_id !== keyId || !verifyPackage({ type, slug, version, sha256, size, signedAt }, signature, pem))
      throw new PluginStoreError('SIGNATURE', { key: keyId });
    const checked = await check(path, { type, slug, version }, sha256);
    const blocked = await this.revoked.list();
    const reason = [sha256, ...checked.contents.entries.map((entry) => entry.sha256)]
      .map((digest) => blocked.get(digest))
      .find((found) => found !== undefined);
    if (reason !== undefined) throw new PluginStoreError('BLOCKED', { slug, version, reason });
    return checked;
  }

  /** Checks an uploaded package, which has no store signature. @throws PluginStoreError UNFIT; PackageRefusal for a broken rule */
  async ofUpload(path: string, type: PackageType = 'plugin'): Promise<CheckedPackage> {
    const { root } = await PackageContents.open(path);
    return check(path, { type, slug: root }, await digestOf(path));
  }
}

/** Unpacks the checked files of a package into an empty folder. @throws Error if the ZIP has changed since */
export function unpack({ contents: { path, entries } }: CheckedPackage, folder: string): Promise<void> {
  return KeptPackage.use(path, entries, (contents) => contents.extract(folder));
}

async function check(path: string, form: PackageForm, sha256: string): Promise<CheckedPackage> {
  const { contents, manifest, author }: ReadPackage = await readPackage(path, form);
  const { slug, version } = form;
  const fatal = manifest.problems.find((problem) => problem.fatal);
  const reason = (code: string): TextRef => ({ key: `packages.finding.manifest.${code}`, params: fatal?.params ?? {} });
  if (fatal) throw new PluginStoreError('UNFIT', { slug, reason: reason(fatal.code) });
  const found = typeof manifest.parsed?.version === 'string' ? manifest.parsed.version.trim() : '0.0.0';
  if (version !== undefined && found !== version) throw new PluginStoreError('OTHER_VERSION', { found: found.slice(0, 32), version });
  const permissions = form.type === 'plugin' ? permissionsOf(manifest.parsed) : [];
  return { slug, version: found, sha256, permissions, contents, author };
}
