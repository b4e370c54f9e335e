import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { isWorkDone, withWork } from './captcha-work.js';
import { addressForLimits } from './client-address.js';
import { cookieLine, isSecure } from './cookies.js';
import { LoginError } from './errors.js';
import { RateLimiter } from './rate-limiter.js';

/** Lifetime of a captcha, in seconds. */
const LIFETIME_SECONDS = 300;
/** Captchas per address: each is drawn, and stored as a row until it expires. */
const ISSUE_RATE = { limit: 120, windowSeconds: 60 };
/** Cookie that binds a captcha to the browser that requested it. */
export const VISIT_COOKIE = 'svc_visit';
const VISIT_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Where a captcha is used. */
export type CaptchaSide = Scope | 'store';

/** Cookie that a side's captchas are bound to, and the height of its images in pixels. Source: docs/store-api.md "Captcha". */
const SIDES: Readonly<Record<CaptchaSide, { cookie: string; height: number }>> = {
  admin: { cookie: VISIT_COOKIE, height: 40 },
  user: { cookie: VISIT_COOKIE, height: 40 },
  store: { cookie: 'connect.sid', height: 42 },
};

/** The client that requests or answers a captcha. */
export type CaptchaVisitor = Pick<CallContext, 'ip' | 'cookies' | 'baseUrl'>;

/** A captcha to show. */
export interface IssuedCaptcha {
  readonly svg: string;
  /** `Set-Cookie` line if the browser had no visit cookie yet. */
  readonly cookie: string | null;
}

/** Captchas stored as rows: one per browser and side, valid for a single attempt. */
@Injectable()
export class CaptchaService {
  private readonly store;
  private readonly find;
  private readonly take;
  private readonly sweep;

  constructor(
    database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly limiter: RateLimiter,
  ) {
    this.store = database.statement(
      `INSERT INTO {Captcha} ({Captcha.holderHash}, {Captcha.scope}, {Captcha.answer}, {Captcha.challenge}, {Captcha.expiresAt}) VALUES (?,
        ?, ?, ?, ?)
       ${database.onConflict('holder_hash', 'scope')} {Captcha.answer} = ?, {Captcha.challenge} = ?, {Captcha.expiresAt} = ?`,
    );
    this.find = database.statement<{ id: number; answer: string; challenge: string }>(
      `SELECT {Captcha.id} AS id, {Captcha.answer} AS answer, {Captcha.challenge} AS challenge FROM {Captcha}
       WHERE {Captcha.holderHash} = ? AND {Captcha.scope} = ? AND {Captcha.expiresAt} > ?`,
    );
    this.take = database.statement('DELETE FROM {Captcha} WHERE {Captcha.id} = ? AND {Captcha.answer} = ?');
    this.sweep = database.statement('DELETE FROM {Captcha} WHERE {Captcha.expiresAt} <= ?');
  }

  /** Whether captchas are enabled. */
  get enabled(): boolean {
    return this.config.captcha.kind !== 'off';
  }

  /**
   * Creates a captcha for the browser behind `call`; an earlier one of the same side becomes invalid.
   *
   * @throws LoginError TOO_MANY_CAPTCHAS
   */
  async issue(side: CaptchaSide, call: CaptchaVisitor): Promise<IssuedCaptcha> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(`captcha:${addressForLimits(call.ip)}`, ISSUE_RATE);
    if (!allowed) throw new LoginError('TOO_MANY_CAPTCHAS', { seconds: retryAfterSeconds });
    const { cookie: name, height } = SIDES[side];
    const cookieValue = call.cookies[name];
    const holder = cookieValue && VISIT_PATTERN.test(cookieValue) ? cookieValue : randomBytes(32).toString('base64url');
    const { captcha } = this.config;
    // Loaded with the first captcha, so that startup does not load fonts and image code.
    const { captchaText, drawCaptcha } = await import('./captcha-picture.js');
    const text = captcha.kind === 'fixed' ? captcha.answer : captchaText();
    const challenge = randomBytes(12).toString('base64url');
    const svg = withWork(await drawCaptcha(text, height), this.config.captchaWork, challenge);
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_SECONDS * 1_000);
    const answer = text.toLowerCase();
    await this.store.run(digest(holder), side, answer, challenge, expiresAt, answer, challenge, expiresAt);
    const cookie = holder === cookieValue ? null : cookieLine(name, holder, 24 * 3600, isSecure(call));
    return { svg, cookie };
  }

  /**
   * Consumes the browser's captcha and returns whether the answer was right, ignoring case.
   *
   * @param answer if proof of work is required (`CAPTCHA_WORK`), followed by a full stop and the work: see {@link isWorkDone}
   */
  async check(side: CaptchaSide, call: Pick<CaptchaVisitor, 'cookies'>, answer: string): Promise<boolean> {
    if (!this.enabled) return true;
    const holder = call.cookies[SIDES[side].cookie];
    if (!holder || !VISIT_PATTERN.test(holder)) return false;
    const row = await this.find.get(digest(holder), side, this.clock.now());
    // Deleting the row consumes it: of two concurrent attempts only one deletes it.
    if (!row || (await this.take.run(row.id, row.answer)).affected === 0) return false;
    const [characters, work = ''] = answer.trim().split('.', 2);
    return row.answer === characters!.toLowerCase() && isWorkDone(row.challenge, work, this.config.captchaWork);
  }

  /** Removes unanswered captchas; run by the cron tick. */
  @Job({ name: 'captchas', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}

function digest(holder: string): string {
  return createHash('sha256').update(holder).digest('hex');
}
