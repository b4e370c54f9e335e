import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { isWorkDone, withWork } from './captcha-work.js';
import { addressForLimits } from './client-address.js';
import { cookieLine } from './cookies.js';
import { LoginError } from './errors.js';
import { RateLimiter } from './rate-limiter.js';

/** How long a captcha waits for its answer, in seconds. */
const LIFETIME_SECONDS = 300;
/** Captchas one address may ask for: each is drawn, and is a row until it is swept. */
const ISSUE_RATE = { limit: 120, windowSeconds: 60 };
/** Cookie that binds a captcha to the browser that asked for it. */
export const VISIT_COOKIE = 'svc_visit';
const VISIT_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Where a captcha is asked for. */
export type CaptchaSide = Scope | 'store';

/** Cookie that a side's captchas are bound to, and the height of its pictures in pixels. Source: docs/store-api.md "Captcha". */
const SIDES: Readonly<Record<CaptchaSide, { cookie: string; height: number }>> = {
  admin: { cookie: VISIT_COOKIE, height: 40 },
  user: { cookie: VISIT_COOKIE, height: 40 },
  store: { cookie: 'connect.sid', height: 42 },
};

/** Whoever asks for a captcha or answers one. */
export type CaptchaVisitor = Pick<CallContext, 'ip' | 'cookies' | 'baseUrl'>;

/** A captcha to show. */
export interface IssuedCaptcha {
  readonly svg: string;
  /** `Set-Cookie` line where the browser had no visit cookie yet. */
  readonly cookie: string | null;
}

/** Captchas as rows: one per browser and side, good for one try, whatever comes of it. */
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

  /** Whether captchas are asked for at all. */
  get enabled(): boolean {
    return this.config.captcha.kind !== 'off';
  }

  /**
   * Makes a captcha for the browser behind `call`; an earlier one of the same side is void.
   *
   * @throws LoginError TOO_MANY_CAPTCHAS
   */
  async issue(side: CaptchaSide, call: CaptchaVisitor): Promise<IssuedCaptcha> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(`captcha:${addressForLimits(call.ip)}`, ISSUE_RATE);
    if (!allowed) throw new LoginError('TOO_MANY_CAPTCHAS', { seconds: retryAfterSeconds });
    const { cookie: name, height } = SIDES[side];
    const held = call.cookies[name];
    const holder = held && VISIT_PATTERN.test(held) ? held : randomBytes(32).toString('base64url');
    const { captcha } = this.config;
    // Loaded with the first captcha: fonts and pictures are nothing a start needs.
    const { captchaText, drawCaptcha } = await import('./captcha-picture.js');
    const text = captcha.kind === 'fixed' ? captcha.answer : captchaText();
    const challenge = randomBytes(12).toString('base64url');
    const svg = withWork(await drawCaptcha(text, height), this.config.captchaWork, challenge);
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_SECONDS * 1_000);
    const answer = text.toLowerCase();
    await this.store.run(digest(holder), side, answer, challenge, expiresAt, answer, challenge, expiresAt);
    const cookie = holder === held ? null : cookieLine(name, holder, 24 * 3600, call.baseUrl.startsWith('https:'));
    return { svg, cookie };
  }

  /**
   * Uses up the browser's captcha: true for the right answer, ignoring case.
   *
   * @param answer where work is asked (`CAPTCHA_WORK`), a full stop and the work behind it: see {@link isWorkDone}
   */
  async check(side: CaptchaSide, call: Pick<CaptchaVisitor, 'cookies'>, answer: string): Promise<boolean> {
    if (!this.enabled) return true;
    const holder = call.cookies[SIDES[side].cookie];
    if (!holder || !VISIT_PATTERN.test(holder)) return false;
    const row = await this.find.get(digest(holder), side, this.clock.now());
    // Whoever deletes it has used it: of two tries at once one finds nothing left.
    if (!row || (await this.take.run(row.id, row.answer)).affected === 0) return false;
    const [characters, work = ''] = answer.trim().split('.', 2);
    return row.answer === characters!.toLowerCase() && isWorkDone(row.challenge, work, this.config.captchaWork);
  }

  /** Removes captchas nobody answered; for the cron tick. */
  @Job({ name: 'captchas', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}

function digest(holder: string): string {
  return createHash('sha256').update(holder).digest('hex');
}
