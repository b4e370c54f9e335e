import { Injectable } from '@nestjs/common';
import { IsBoolean } from 'class-validator';

import { Operation, SuccessReply, Switch } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';

class GuideInput {
  /** Whether the guide is shown on the dashboard. */
  @Switch() @IsBoolean() kg!: boolean;
}

/** Hides or shows the setup guide. Source: docs/panel-api.md "Dashboard". */
@Injectable()
export class SetupGuideOperations {
  constructor(private readonly settings: SiteSettings) {}

  @Operation({ side: 'admin', gn: 'ydkg', auth: 'admin', input: GuideInput, audit: 'web.audit_guide', rate: 'write' })
  async show({ kg }: GuideInput): Promise<SuccessReply> {
    await this.settings.change({ guideOpen: kg });
    return new SuccessReply(kg ? 'web.guide_shown' : 'web.guide_put_away');
  }
}
