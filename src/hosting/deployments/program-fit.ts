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

/** What of a program decides who can have it. */
type Fitted = Pick<DeployProgram, 'requiredQuotaMb' | 'form' | 'steps' | 'doneMessage' | 'hasPhp' | 'archivePath'>;

/** Checks whether a program can be installed on a site, and knows the names of the site. */
@Injectable()
export class ProgramFit {
  constructor(
    private readonly domains: DomainRepository,
    private readonly address: SitesAddress,
  ) {}

  /** What keeps a site from having a program, in words; nothing where it can. */
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
   * The same, and what only the site's server knows: whether the site has a database, and the versions of PHP there are. Before anybody
   * pays, and before anything is touched.
   *
   * @throws DeployError NOT_FITTING; HostingError: what the server comes to
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

  /** The names of a site: those it has from the panel and on its server, then those that are bound. */
  async namesOf({ id, siteName, username }: HostingAccount): Promise<ChosenDomain[]> {
    const own = [...new Set([this.address.nameOf(username), ...(isVisited(siteName) ? [siteName] : [])])];
    const bound = (await this.domains.all(id)).filter(({ name }) => !own.includes(name));
    return [...own.map((name) => ({ name, folder: '' })), ...bound.map(({ name, folder }) => ({ name, folder }))];
  }
}

/** The plan of a program; null where a step is none this panel knows, as one taken over from another panel may be. */
function knownPlan(program: Fitted): ProgramPlan | null {
  try {
    return planOf(program);
  } catch (error) {
    if (error instanceof DeployError) return null;
    throw error;
  }
}
