import type { IncomingMessage } from 'node:http';

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { ClientAddress } from '../auth/index.js';
import { loggerFor, sameText, translate } from '../common/index.js';
import { KeyAttemptLimiter } from '../hosting/index.js';
import { TextRefusal } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';

/** Language of the responses: programs compare the texts of older panels. */
const LOCALE = 'zh-CN';

const log = loggerFor('jobs');

/** Requires the key of the provisioning API as `my`; wrong keys are counted by address. */
@Injectable()
export class CrontabGuard implements CanActivate {
  constructor(
    private readonly settings: SiteSettings,
    private readonly attempts: KeyAttemptLimiter,
    private readonly addresses: ClientAddress,
  ) {}

  /** @throws TextRefusal with status 200: programs compare the text */
  async canActivate(context: ExecutionContext): Promise<true> {
    const req = context.switchToHttp().getRequest<IncomingMessage & { query: { my?: unknown } }>();
    const ip = this.addresses.of(req);
    const { my } = req.query;
    const refusal = await this.attempts.guard(ip, async (check) => {
      if (check.minutes) return translate(LOCALE, 'hosting.api_blocked', { n: check.minutes });
      const { api } = this.settings.current;
      if (api && typeof my === 'string' && sameText(my, api)) return null;
      log.warn({ ip }, 'a crontab URL was requested with a wrong key');
      await check.failed();
      return '密钥错误';
    });
    if (refusal !== null) throw new TextRefusal(200, refusal);
    return true;
  }
}
