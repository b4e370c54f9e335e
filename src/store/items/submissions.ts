import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, isReservedName, translate, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { type ItemType, StoreFinding, StoreItem, type StoreUser, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { StoreCaller, StoreRequest } from '../call/index.js';
import { blockedFinding, type FileDigest, joinFindings, panelRangeOf, ROOT_PATTERN, withoutControls } from '../packages/index.js';
import { UploadRefusals } from '../uploads/index.js';

import { BlockedFiles } from './blocked-files.js';
import { ITEM_FIELDS, readRequires, readVersion } from './item-fields.js';
import { findingRow } from './item-rows.js';
import { PackageIntake, type Inspection, type UploadedPackage, type UploadForm } from './package-intake.js';
import { SlugClaims } from './slug-claims.js';

/** Maximum characters of a changelog. */
const MAX_CHANGELOG = 10_000;

/** Limits per author: versions in 24 hours, and pending new items. */
const MAX_PER_DAY = 100;
const MAX_PENDING = 20;

/** Converts raw form fields to the API's format: the HTML pages send some of them as typed by the user. */
export type ReadFields = (fields: UploadForm['fields']) => UploadForm['fields'];

const asSent: ReadFields = (fields) => fields;

/** Accepts new items and versions for review. */
@Injectable()
export class Submissions {
  private readonly lockAuthors;
  private readonly touchItem;
  private readonly supersede;
  private readonly showPending;
  private readonly countWork;

  constructor(
    private readonly database: Database,
    private readonly intake: PackageIntake,
    private readonly slugs: SlugClaims,
    private readonly refusals: UploadRefusals,
    private readonly blocked: BlockedFiles,
    private readonly clock: Clock,
  ) {
    // The lock serializes an upload with a ban of the author and with the author's other uploads.
    this.lockAuthors = database.statement<{ id: number; status: StoreUser['status'] }>(
      `SELECT {StoreUser.id} AS id, {StoreUser.status} AS status FROM {StoreUser} WHERE {StoreUser.id} IN (?, ?)
       ORDER BY {StoreUser.id}${database.engine === 'mysql' ? ' FOR UPDATE' : ''}`,
    );
    this.touchItem = database.statement(
      'UPDATE {StoreItem} SET {StoreItem.updatedAt} = ? WHERE {StoreItem.id} = ? AND {StoreItem.authorId} = ?',
    );
    this.supersede = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.status} = 'superseded', {StoreVersion.decidedAt} = ?
       WHERE {StoreVersion.itemId} = ? AND {StoreVersion.status} = 'pending'`,
    );
    this.countWork = database.statement<{ waiting: number; sent: number }>(
      `SELECT (SELECT COUNT(*) FROM {StoreItem} WHERE {StoreItem.authorId} = ? AND {StoreItem.status} = 'pending') AS waiting,
        (SELECT COUNT(*) FROM {StoreItem} JOIN {StoreVersion} ON {StoreVersion}.{StoreVersion.itemId} = {StoreItem}.{StoreItem.id}
         WHERE {StoreItem}.{StoreItem.authorId} = ? AND {StoreVersion}.{StoreVersion.createdAt} > ?) AS sent`,
    );
    // Nothing of the item was ever published, so it shows the pending version to author and reviewer.
    this.showPending = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.status} = 'pending', {StoreItem.version} = ?, {StoreItem.sha256} = ?, {StoreItem.zipSize} = ?
       WHERE {StoreItem.id} = ? AND {StoreItem.status} IN ('pending', 'rejected')`,
    );
  }

  /** Submits a new item with its first version. @throws StoreError INVALID, ACCOUNT_BANNED; PackageRefusal, HtmlRefusal */
  submitItem(caller: StoreCaller, req: StoreRequest, read: ReadFields = asSent): Promise<StoreItem> {
    return this.receive(req, read, async ({ fields, upload }) => {
      const given = requireItemFields(fields, upload);
      await this.checkLimits(caller, caller.id, true);
      const info = readInfo(fields);
      const inspection = await this.intake.inspect(given.upload, { ...given, name: info.name }, caller.id);
      await this.slugs.checkFree(given.type, given.slug, caller.id);
      await this.intake.store(given.upload);
      return this.database.transaction(async () => {
        await this.checkAuthor(caller.id);
        await this.checkLimits(caller, caller.id, true);
        const now = this.clock.now();
        await this.slugs.claim(given.type, given.slug, caller.id, given.version, true);
        const items = this.database.repository(StoreItem);
        const { sha256, size: zipSize } = given.upload.file;
        const item = await items.save(
          items.create({
            ...info,
            type: given.type,
            slug: given.slug,
            slugKey: given.slug.toLowerCase(),
            version: given.version,
            authorId: caller.id,
            authorName: caller.username,
            sha256,
            zipSize,
            downloads: 0,
            ratingCount: 0,
            ratingSum: 0,
            status: 'pending',
            reviewMessage: '',
            createdAt: now,
            updatedAt: now,
          }),
        );
        await this.addVersion(item, { version: given.version, changelog: '', channel: 'stable' }, given.upload, inspection, now);
        // Read again: TypeORM applies column transformers twice to the entity it returns.
        return items.findOneByOrFail({ id: item.id });
      });
    });
  }

  /**
   * Submits another version for review; the published one stays. Supersedes a pending version.
   *
   * @param kept runs in the transaction that stores the version
   * @throws StoreError INVALID, NOT_FOUND, ACCOUNT_BANNED; PackageRefusal
   */
  submitVersion(
    caller: StoreCaller,
    item: StoreItem,
    req: StoreRequest,
    { read = asSent, onStored }: { readonly read?: ReadFields | undefined; readonly onStored: (version: StoreVersion) => Promise<void> },
  ): Promise<StoreVersion> {
    return this.receive(req, read, async ({ fields, upload }) => {
      const version = readVersion(fields.version);
      const channel = readChannel(fields.channel, item);
      if (!upload) throw new StoreError('ZIP_REQUIRED');
      await this.checkLimits(caller, item.authorId, false);
      const changelog = withoutControls(fields.changelog ?? '').trim();
      if (changelog.length > MAX_CHANGELOG) throw new StoreError('CHANGELOG_TOO_LONG');
      const form = { type: item.type, slug: item.slug, name: item.name, version };
      const inspection = await this.intake.inspect(upload, form, item.authorId, await this.knownKey(item));
      await this.intake.store(upload);
      return this.database.transaction(async () => {
        await this.checkAuthor(caller.id, item.authorId);
        await this.checkLimits(caller, item.authorId, false);
        const now = this.clock.now();
        const { affected } = await this.touchItem.run(now, item.id, item.authorId);
        if (affected === 0) throw new StoreError('ITEM_NOT_FOUND_OR_YOURS');
        await this.slugs.claim(item.type, item.slug, item.authorId, version, false);
        await this.supersede.run(now, item.id);
        const row = await this.addVersion(item, { version, changelog, channel }, upload, inspection, now);
        await this.showPending.run(version, upload.file.sha256, upload.file.size, item.id);
        await onStored(row);
        return row;
      });
    });
  }

  /** Returns what {@link submitItem} would report about a package, without storing anything. @throws StoreError INVALID, PackageRefusal */
  validate(caller: StoreCaller, req: StoreRequest, locale: Locale, read: ReadFields = asSent) {
    return this.intake.receive(req, async ({ fields: sent, upload }) => {
      const fields = read(sent);
      const type = readType(fields.type);
      const slug = readSlug(fields.slug);
      if (!upload) throw new StoreError('ZIP_REQUIRED');
      const version = fields.version ? readVersion(fields.version) : undefined;
      const name = fields.name ? ITEM_FIELDS.name.read(fields.name) : undefined;
      const { manifest, findings, files, totalSize } = await this.intake.inspect(upload, { type, slug, version, name }, caller.id);
      const blocked = (await this.blocked.among(allOf(upload, files))).map(blockedFinding);
      return {
        sha256: upload.file.sha256,
        zip_size: upload.file.size,
        files: files.length,
        total_size: totalSize,
        manifest: manifest.parsed,
        installable: !manifest.problems.some(({ fatal }) => fatal),
        manifest_problems: manifest.problems.map(({ code, fatal, params }) => ({
          code,
          fatal,
          text: translate(locale, `packages.finding.manifest.${code}`, params),
        })),
        findings: joinFindings(blocked, findings).map((finding) => findingRow(finding, locale)),
      };
    });
  }

  /** Receives an upload and counts its rejection, if any. */
  private receive<T>(req: StoreRequest, read: ReadFields, work: (form: UploadForm) => Promise<T>): Promise<T> {
    return this.refusals.counting(() => this.intake.receive(req, (form) => work({ ...form, fields: read(form.fields) })));
  }

  /**
   * Enforces the limits per author, whoever sends the upload: checked before inspection, and again while the author is locked.
   *
   * @throws StoreError TOO_MANY_SENT, TOO_MANY_WAITING
   */
  private async checkLimits({ role }: StoreCaller, authorId: number, isNew: boolean): Promise<void> {
    if (role === 'admin') return;
    const { waiting, sent } = (await this.countWork.get(authorId, authorId, new Date(this.clock.now().getTime() - DAY_MS)))!;
    if (Number(sent) >= MAX_PER_DAY) throw new StoreError('TOO_MANY_SENT', { most: MAX_PER_DAY });
    if (isNew && Number(waiting) >= MAX_PENDING) throw new StoreError('TOO_MANY_WAITING', { most: MAX_PENDING });
  }

  /**
   * Checks again that the account is active, because it can be banned during an upload that takes minutes.
   *
   * @param authorId author of the item, if different
   * @throws StoreError ACCOUNT_BANNED
   */
  private async checkAuthor(id: number, authorId = id): Promise<void> {
    const locked = await this.lockAuthors.all(id, authorId);
    if (!locked.some((user) => Number(user.id) === id && user.status === 'active')) throw new StoreError('ACCOUNT_BANNED');
  }

  /** Returns the author's key that signed the newest published version; empty: unsigned. */
  private async knownKey({ id: itemId }: StoreItem): Promise<string> {
    const newest = await this.database.repository(StoreVersion).findOne({ where: { itemId, status: 'approved' }, order: { id: 'DESC' } });
    return newest?.authorKeys.split(' ').at(-1) ?? '';
  }

  private async addVersion(
    item: StoreItem,
    { version, changelog, channel }: Pick<StoreVersion, 'version' | 'changelog' | 'channel'>,
    upload: UploadedPackage,
    inspection: Inspection,
    now: Date,
  ): Promise<StoreVersion> {
    const versions = this.database.repository(StoreVersion);
    const row = await versions.save(
      versions.create({
        itemId: item.id,
        version,
        versionKey: version.toLowerCase(),
        sha256: upload.file.sha256,
        zipSize: upload.file.size,
        changelog,
        channel,
        status: 'pending',
        reviewMessage: '',
        manifest: storableManifest(inspection.manifest.parsed),
        requiresPanel: panelRangeOf(inspection.manifest.parsed),
        signature: '',
        keyId: '',
        signedAt: null,
        authorKeys: inspection.author?.keys.map(({ keyId }) => keyId).join(' ') ?? '',
        createdAt: now,
        decidedAt: null,
        decidedBy: null,
      }),
    );
    const findings = this.database.repository(StoreFinding);
    const rows = inspection.findings.map(({ rule, severity, file, line, excerpt, text }) => ({
      versionId: row.id,
      rule: rule.slice(0, 60),
      severity,
      file: [...file].slice(0, 500).join(''),
      line,
      excerpt,
      text: text as StoreFinding['text'],
    }));
    if (rows.length > 0) await findings.insert(rows);
    await this.blocked.storeFiles(row.id, allOf(upload, inspection.files));
    return row;
  }
}

/** Digests of a package and of its files. */
function allOf({ file }: UploadedPackage, files: readonly FileDigest[]): FileDigest[] {
  return [{ path: '', sha256: file.sha256 }, ...files];
}

interface ItemForm {
  readonly type: ItemType;
  readonly slug: string;
  readonly version: string;
  readonly upload: UploadedPackage;
}

/** Checks required fields in the order in which front ends show the problems. */
function requireItemFields(fields: UploadForm['fields'], upload: UploadedPackage | null): ItemForm {
  const type = readType(fields.type);
  if (!fields.slug?.trim()) throw new StoreError('SLUG_REQUIRED');
  if (!fields.name?.trim()) throw new StoreError('NAME_REQUIRED');
  if (!fields.version?.trim()) throw new StoreError('VERSION_REQUIRED');
  if (!upload) throw new StoreError('ZIP_REQUIRED');
  if (!fields.description?.trim()) throw new StoreError('DESCRIPTION_REQUIRED');
  return { type, slug: readSlug(fields.slug), version: readVersion(fields.version), upload };
}

/** Only published items can have a beta. @throws StoreError CHANNEL_INVALID, BETA_NEEDS_RELEASE */
function readChannel(given: string | undefined, { status }: StoreItem): StoreVersion['channel'] {
  const channel = given || 'stable';
  if (channel !== 'stable' && channel !== 'beta') throw new StoreError('CHANNEL_INVALID');
  if (channel === 'beta' && status !== 'approved') throw new StoreError('BETA_NEEDS_RELEASE');
  return channel;
}

function readInfo(fields: UploadForm['fields']) {
  const values: Partial<StoreItem> = {};
  for (const [name, field] of Object.entries(ITEM_FIELDS)) Object.assign(values, field.change(field.read(fields[name])));
  return { ...values, name: values.name!, requiresPanel: readRequires(fields.requires_svc || fields.requires_mnbt) };
}

function readType(given: string | undefined): ItemType {
  if (given !== 'plugin' && given !== 'theme') throw new StoreError('TYPE_REQUIRED');
  return given;
}

function readSlug(given: string | undefined): string {
  const slug = given?.trim() ?? '';
  if (slug === '') throw new StoreError('SLUG_REQUIRED');
  if (!ROOT_PATTERN.test(slug)) throw new StoreError('SLUG_INVALID');
  if (isReservedName(slug)) throw new StoreError('SLUG_RESERVED', { slug });
  return slug;
}

/** Limits a manifest to its column size; a larger one is only in the package. */
function storableManifest(manifest: Readonly<Record<string, unknown>> | null): Record<string, unknown> | null {
  return manifest && Buffer.byteLength(JSON.stringify(manifest)) <= 60_000 ? { ...manifest } : null;
}
