import { Injectable } from '@nestjs/common';

import type { TextRef } from '../../common/index.js';
import { DomainRepository } from '../domains/index.js';
import type { DeployProgram, HostingAccount } from '../entities/index.js';
import { hasDatabase, phpOf } from '../site-programs/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { isVisited, SitesAddress } from '../sites-address.js';

import { DeployError } from './deploy-errors.js';
import type { ChosenDomain } from './program-answers.js';
import { planOf, type ProgramPlan } from './program-plan.js';
import { databaseUse, portsFor } from './program-steps.js';

/** Properties of a program that decide where it can be installed. */
type Fitted = Pick<DeployProgram, 'requiredQuotaMb' | 'form' | 'steps' | 'doneMessage' | 'hasPhp' | 'archivePath'>;

/** Checks whether a program can be installed on a site, and lists the domain names of the site. */
@Injectable()
export class ProgramFit {
  constructor(
    private readonly domains: DomainRepository,
    private readonly address: SitesAddress,
  ) {}

  /** Returns the reasons why a site cannot have a program; empty if it can. */
  problems(site: OpenSite, program: Fitted): TextRef[] {
    const { webQuotaMb, databaseQuotaMb } = site.account;
    const [web, database] = program.requiredQuotaMb;
    const problems: TextRef[] = [];
    if (program.archivePath === '') problems.push({ key: 'deploy.lacks_archive' });
    if (webQuotaMb > 0 && webQuotaMb < web) problems.push({ key: 'deploy.lacks_web', params: { need: web, have: webQuotaMb } });
    if (databaseQuotaMb > 0 && databaseQuotaMb < database)
      problems.push({ key: 'deploy.lacks_database_space', params: { need: database, have: databaseQuotaMb } });
    const plan = knownPlan(program);
    if (plan === null) return [...problems, { key: 'deploy.lacks_plan' }];
    for (const port of portsFor(plan.steps, plan.message, program.hasPhp))
      if (!site.has(port)) problems.push({ key: `deploy.lacks_${port}` });
    return problems;
  }

  /** @throws DeployError NOT_FITTING */
  require(site: OpenSite, program: Fitted): void {
    const why = this.problems(site, program);
    if (why.length > 0) throw new DeployError('NOT_FITTING', { why });
  }

  /**
   * As {@link require}, and also checks what only the site's server knows: its database and PHP versions. Called before a payment and
   * before an installation.
   *
   * @throws DeployError NOT_FITTING; HostingError from the server
   */
  async requireNow(site: OpenSite, program: Fitted): Promise<void> {
    this.require(site, program);
    const { steps, message } = planOf(program);
    const why: TextRef[] = [];
    if (databaseUse(steps, message).isNeeded && !(await hasDatabase(site))) why.push({ key: 'deploy.lacks_database' });
    const wanted = [...new Set(steps.flatMap(({ cz, php }) => (cz === 'setphp' ? php! : [])))];
    if (wanted.length > 0 || program.hasPhp) {
      const { current, versions } = await phpOf(site);
      for (const version of wanted)
        if (!versions.includes(version))
          why.push({ key: 'deploy.lacks_php_version', params: { version, versions: versions.join(', ') || '-' } });
      if (wanted.length === 0 && current === '') why.push({ key: 'deploy.lacks_php_choice' });
    }
    if (why.length > 0) throw new DeployError('NOT_FITTING', { why });
  }

  /** Returns the domain names of a site: its own names, then the bound domains. */
  async namesOf({ id, siteName, username }: HostingAccount): Promise<ChosenDomain[]> {
    const own = [...new Set([this.address.nameOf(username), ...(isVisited(siteName) ? [siteName] : [])])];
    const bound = (await this.domains.all(id)).filter(({ name }) => !own.includes(name));
    return [...own.map((name) => ({ name, folder: '' })), ...bound.map(({ name, folder }) => ({ name, folder }))];
  }
}

/** Returns the plan of a program; null if it has a step this panel does not know, as an imported program may. */
function knownPlan(program: Fitted): ProgramPlan | null {
  try {
    return planOf(program);
  } catch (error) {
    if (error instanceof DeployError) return null;
    throw error;
  }
}
