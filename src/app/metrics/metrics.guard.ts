import type { IncomingMessage } from 'node:http';

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { sameText } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { TextRefusal } from '../../operations/index.js';

/** Headers added by proxies: a loopback request with one of them comes from another machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
const REFUSAL =
  'Send "Authorization: Bearer <METRICS_TOKEN>". If METRICS_TOKEN is not set, the panel serves ' +
  'metrics only to programs on its own machine.\n';

/** Admits requests with METRICS_TOKEN; without a configured token, requests from this machine. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  /** @throws TextRefusal */
  canActivate(context: ExecutionContext): true {
    if (!this.admits(context.switchToHttp().getRequest<IncomingMessage>())) throw new TextRefusal(403, REFUSAL);
    return true;
  }

  private admits({ headers, socket }: IncomingMessage): boolean {
    const { metricsToken } = this.config;
    if (metricsToken !== null) return sameText(/^Bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '', metricsToken);
    const { remoteAddress = '' } = socket;
    return (
      ipaddr.isValid(remoteAddress) &&
      ipaddr.process(remoteAddress).range() === 'loopback' &&
      FORWARDED.every((name) => headers[name] === undefined)
    );
  }
}
