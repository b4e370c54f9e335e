import { Injectable } from '@nestjs/common';

import { AppError, localeOf, type ErrorShape } from '../common/index.js';
import { NoInput, Operation, SuccessReply } from '../operations/index.js';
import { API_VERSION, type CallContext } from '../sdk/index.js';

import { releasesSince } from './changelog.js';
import { SeenVersions } from './whats-new.js';

/** Changelog for API clients. Source: docs/panel-api.md. */
@Injectable()
export class WhatsNewOperations {
  constructor(private readonly versions: SeenVersions) {}

  @Operation({ side: 'admin', gn: 'xtbb', auth: 'admin', input: NoInput, audit: null, rate: 'read', own: true })
  async show(_input: NoInput, { admin, locale }: CallContext): Promise<SuccessReply> {
    const seen = await this.versions.of(admin!.id);
    const news = await releasesSince(seen);
    const gx = news.map(({ version, changes }) => ({ bb: version, nr: changes[localeOf(locale)] }));
    return new SuccessReply('site.version', { bb: API_VERSION, kg: seen, gx }, { version: API_VERSION });
  }

  /** Always rejected with instructions: a panel that replaces its own files while running could lose both versions. @throws UpdateByHand */
  @Operation({ side: 'admin', gn: 'update', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  update(): never {
    throw new UpdateByHand('UPDATE_BY_HAND');
  }
}

/** A version is installed on the server, by somebody who may stop the panel there. */
class UpdateByHand extends AppError<'UPDATE_BY_HAND'> {
  get shape(): ErrorShape {
    return { err: 'E_DISABLED', text: 'site.update_by_hand' };
  }
}
