import { hash, randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, HOUR_MS, hashToken } from '../common/index.js';
import { Secrets } from '../config/index.js';
import { Database } from '../database/index.js';
import type { SignInSide } from './sign-in-side.js';

import { RecoveryCode, SecondFactor, SignInStep } from './entities/index.js';
import { OneTimeCodes } from './totp.js';

/** Number of recovery codes per account. */
export const RECOVERY_CODES = 10;
/** How long a seed waits for its first code, in milliseconds. */
const SETUP_MS = HOUR_MS;
/** Characters of recovery codes: none that can be confused with another one. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const RECOVERY_CODE = /^[a-z2-9]{5}-?[a-z2-9]{5}$/;

/** An account, and the session in which it sets up its second factor: no other session sees or confirms that seed. */
export interface FactorSetup {
  readonly side: SignInSide;
  readonly accountId: number;
  /** Token of the session. */
  readonly token: string;
}

/**
 * Why a first code was refused: it is wrong; no setup of this session is pending (none was started, an hour has passed, or another session
 * started its own); a second factor exists.
 */
export type SetupRefusal = 'CODE_WRONG' | 'SETUP_OVER' | 'FACTOR_ON';

/** A seed whose first code is pending. */
export interface NewSeed {
  /** Base32, to be typed into an authenticator app. */
  readonly secret: string;
  /** The seed as a URI, for a QR code. */
  readonly uri: string;
}

/** The second factor as shown to its owner. */
export interface SecondFactorState {
  readonly enabled: boolean;
  readonly since: Date | null;
  /** Number of unused recovery codes. */
  readonly codes: number;
}

/**
 * Second factors of accounts: codes of an authenticator app, and one-time recovery codes. Seeds are stored encrypted, recovery codes
 * hashed. A code works only once, even if it is sent concurrently.
 */
@Injectable()
export class SecondFactors {
  private readonly use;
  private readonly spend;
  private readonly confirmRow;
  private readonly upsert;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {
    this.use = database.statement(
      'UPDATE {SecondFactor} SET {SecondFactor.lastStep} = ? WHERE {SecondFactor.id} = ? AND {SecondFactor.lastStep} < ?',
    );
    this.spend = database.statement(
      'DELETE FROM {RecoveryCode} WHERE {RecoveryCode.side} = ? AND {RecoveryCode.accountId} = ? AND {RecoveryCode.codeHash} = ?',
    );
    this.confirmRow = database.statement(
      `UPDATE {SecondFactor} SET {SecondFactor.confirmedAt} = ?, {SecondFactor.lastStep} = ?, {SecondFactor.sessionHash} = NULL
       WHERE {SecondFactor.id} = ? AND {SecondFactor.seed} = ? AND {SecondFactor.confirmedAt} IS NULL`,
    );
    // Replaces only the seed that was read before. That seed is assigned last: MySQL evaluates the assignments one after another.
    const isSeen = '{SecondFactor.confirmedAt} IS NULL AND {SecondFactor.seed} = ?';
    this.upsert = database.statement(
      `INSERT INTO {SecondFactor} ({SecondFactor.side}, {SecondFactor.accountId}, {SecondFactor.seed}, {SecondFactor.sessionHash},
        {SecondFactor.lastStep}, {SecondFactor.createdAt})
       VALUES (?, ?, ?, ?, 0, ?) ${database.onConflict('side', 'account_id')}
       {SecondFactor.sessionHash} = CASE WHEN ${isSeen} THEN ? ELSE {SecondFactor.sessionHash} END,
       {SecondFactor.createdAt} = CASE WHEN ${isSeen} THEN ? ELSE {SecondFactor.createdAt} END,
       {SecondFactor.seed} = CASE WHEN ${isSeen} THEN ? ELSE {SecondFactor.seed} END`,
    );
  }

  /** Returns the state shown to the owner. */
  async state(side: SignInSide, accountId: number): Promise<SecondFactorState> {
    const found = await this.find(side, accountId);
    const codes = await this.database.repository(RecoveryCode).countBy({ side, accountId });
    return { enabled: Boolean(found?.confirmedAt), since: found?.confirmedAt ?? null, codes };
  }

  /** Returns whether an account requires a code. */
  async enabled(side: SignInSide, accountId: number): Promise<boolean> {
    return Boolean((await this.find(side, accountId))?.confirmedAt);
  }

  /**
   * Starts the setup: creates a seed that takes effect with its first code. Within an hour the same session gets the same seed again, in
   * every tab; another session starts its own, which replaces it.
   *
   * @returns null if a second factor exists
   */
  async begin(setup: FactorSetup, issuer: string, account: string): Promise<NewSeed | null> {
    const { side, accountId, token } = setup;
    const seen = await this.find(side, accountId);
    if (seen?.confirmedAt) return null;
    const pending = this.pendingSeed(setup, seen);
    if (pending !== null) return newSeedOf(pending, issuer, account);
    const seed = OneTimeCodes.newSeed();
    const sealed = this.secrets.seal(seed, placeOf(side, accountId));
    const [present, session, now] = [seen?.seed ?? '', hashToken(token), this.clock.now()];
    await this.upsert.run(side, accountId, sealed, session, now, present, session, present, now, present, sealed);
    const found = await this.find(side, accountId);
    if (found?.confirmedAt) return null;
    // Of several tabs that start at once, one stores its seed. Another session's stays there, and replaces this one's.
    return newSeedOf(this.pendingSeed(setup, found) ?? seed, issuer, account);
  }

  /** Verifies the first code of the seed started in this session. @returns recovery codes, shown only once; or why it was refused */
  async confirm(setup: FactorSetup, code: string): Promise<string[] | SetupRefusal> {
    const { side, accountId } = setup;
    const found = await this.find(side, accountId);
    if (found?.confirmedAt) return 'FACTOR_ON';
    const seed = this.pendingSeed(setup, found);
    if (!found || seed === null) return 'SETUP_OVER';
    const now = this.clock.now();
    const step = new OneTimeCodes(seed).stepOf(code, now);
    if (step === null) return 'CODE_WRONG';
    const codes = await this.database.transaction(async () => {
      const { affected } = await this.confirmRow.run(now, step, found.id, found.seed);
      if (affected !== 1) return null;
      noteSecondFactor(this.database, side, accountId, true);
      return this.newRecoveryCodes(side, accountId);
    });
    // Meanwhile confirmed in another tab, or replaced by another session.
    return codes ?? ((await this.enabled(side, accountId)) ? 'FACTOR_ON' : 'SETUP_OVER');
  }

  /** Verifies and consumes a code of the app or a recovery code. */
  async check(side: SignInSide, accountId: number, code: string): Promise<boolean> {
    const typed = code.trim().toLowerCase().replace(/\s/g, '');
    const found = await this.find(side, accountId);
    if (!found?.confirmedAt) return false;
    const step = this.codesOf(found)?.stepOf(typed, this.clock.now()) ?? null;
    if (step !== null) return (await this.use.run(step, found.id, step)).affected === 1;
    if (!RECOVERY_CODE.test(typed)) return false;
    return (await this.spend.run(side, accountId, hashOf(typed))).affected === 1;
  }

  /** Replaces the recovery codes; the old ones become invalid. */
  renewRecoveryCodes(side: SignInSide, accountId: number): Promise<string[]> {
    return this.database.transaction(() => this.newRecoveryCodes(side, accountId));
  }

  /** Removes the second factor. @returns false if there was none */
  remove(side: SignInSide, accountId: number): Promise<boolean> {
    return removeSecondFactor(this.database, side, accountId);
  }

  private async newRecoveryCodes(side: SignInSide, accountId: number): Promise<string[]> {
    const rows = this.database.repository(RecoveryCode);
    await rows.delete({ side, accountId });
    const codes = new Set<string>();
    while (codes.size < RECOVERY_CODES) codes.add(`${word()}-${word()}`);
    await rows.insert([...codes].map((code) => ({ side, accountId, codeHash: hashOf(code) })));
    return [...codes];
  }

  private find(side: SignInSide, accountId: number): Promise<SecondFactor | null> {
    return this.database.repository(SecondFactor).findOneBy({ side, accountId });
  }

  /** Returns the seed that waits for its first code in this session; null if none. */
  private pendingSeed({ side, accountId, token }: FactorSetup, found: SecondFactor | null): string | null {
    if (!found || found.confirmedAt || found.sessionHash !== hashToken(token)) return null;
    if (found.createdAt.getTime() <= this.clock.now().getTime() - SETUP_MS) return null;
    return this.secrets.open(found.seed, placeOf(side, accountId));
  }

  private codesOf({ side, accountId, seed }: SecondFactor): OneTimeCodes | null {
    const opened = this.secrets.open(seed, placeOf(side, accountId));
    return opened === null ? null : new OneTimeCodes(opened);
  }
}

/**
 * Returns an SQL condition for accounts that require a code.
 *
 * @param id the account's id in that statement, such as `{HostingAccount}.{HostingAccount.id}`
 */
export const hasSecondFactor = (side: SignInSide, id: string): string =>
  `EXISTS (SELECT 1 FROM {SecondFactor} WHERE {SecondFactor.side} = '${side}' AND {SecondFactor.accountId} = ${id}
    AND {SecondFactor.confirmedAt} IS NOT NULL)`;

/**
 * Removes a second factor, for instance a lost one, with its recovery codes and pending sign-ins. Depends only on the database.
 *
 * @returns false if there was none
 */
export function removeSecondFactor(database: Database, side: SignInSide, accountId: number): Promise<boolean> {
  return database.transaction(async () => {
    await database.repository(RecoveryCode).delete({ side, accountId });
    await database.repository(SignInStep).delete({ side, accountId });
    const present = await database.repository(SecondFactor).findOneBy({ side, accountId });
    const { affected } = await database.repository(SecondFactor).delete({ side, accountId });
    if (!affected) return false;
    if (present?.confirmedAt) noteSecondFactor(database, side, accountId, false);
    return true;
  });
}

function noteSecondFactor(database: Database, side: SignInSide, id: number, secondFactor: boolean): void {
  database.noteChange({ of: SUBJECTS[side], id }, { secondFactor: !secondFactor }, { secondFactor });
}

/** Kind of account in the operation log, by side. */
const SUBJECTS: Readonly<Record<SignInSide, string>> = { admin: 'administrator', user: 'host', customer: 'customer', store: 'store' };
function newSeedOf(seed: string, issuer: string, account: string): NewSeed {
  const { uri } = new OneTimeCodes(seed, issuer.replaceAll(':', ' ') || 'Panel', account);
  return { secret: seed, uri };
}

const placeOf = (side: SignInSide, accountId: number): string => `second-factor.${side}.${accountId}`;
const word = (): string => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
/**
 * 49 random bits: too many to brute-force from a stolen table while the code matters, and a code is useless
 * without the password.
 */
const hashOf = (code: string): string => hash('sha256', code.replace('-', ''), 'hex');
