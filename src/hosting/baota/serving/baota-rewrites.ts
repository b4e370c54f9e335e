import { Injectable } from '@nestjs/common';

import { ALREADY, DONE, type DriverAccount, type DriverResult, type RewritesPort, RewriteProblem } from '../../driver/index.js';
import { answeringAll, PanelProblem } from '../client/index.js';
import { PanelSites } from '../sites/index.js';

import { withRewrites } from './nginx-rules.js';
import { RulesFile } from './rules-file.js';

/** Rewrite rules of sites on servers running BaoTa, in the file in which the panel keeps its own rules, which are preserved. */
@Injectable()
export class BaotaRewrites implements RewritesPort {
  constructor(
    private readonly sites: PanelSites,
    private readonly file: RulesFile,
  ) {}

  apply(account: DriverAccount, rules: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const { node } = account;
      const site = await this.sites.own(account, deadline);
      const present = await this.file.read(node, site, deadline);
      const wanted = withRewrites(present, rules);
      if (present === wanted) return ALREADY;
      await this.file.write(node, site, wanted, deadline).catch((error: unknown) => {
        throw isRefused(error) ? new RewriteProblem('RULE', { problem: error.message.slice(0, 200) }) : error;
      });
      return DONE;
    });
  }
}

/** Whether nginx rejected the rules; problems of the server itself have a code. */
function isRefused(error: unknown): error is PanelProblem {
  return error instanceof PanelProblem && error.result.outcome === 'refused' && error.result.problem === undefined;
}
