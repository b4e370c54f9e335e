import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { answered, ended } from '../action-result.js';
import type { Certificates } from '../certificates/certificates.js';
import type { Nginx } from '../nginx/nginx.js';
import type { PhpPools } from '../php/php-pools.js';
import { HostRefusal } from '../refusal.js';
import type { Sftp } from '../sftp/sftp.js';
import type { SiteKeeper, SiteReference } from '../sites/site-keeper.js';
import { hasSftp, type SiteRecord } from '../records/site-record.js';
import type { ActionHandlers } from './action-handlers.js';

type Names = Extract<
  ActionName,
  | `domains.${string}`
  | `settings.${string}`
  | `rewrites.${string}`
  | `certificate.${string}`
  | `proofs.${string}`
  | `php.${string}`
  | `sftp.${string}`
>;

/** Dependencies of the setting actions. */
export interface SettingActionParts {
  readonly keeper: SiteKeeper;
  readonly certificates: Certificates;
  readonly nginx: Pick<Nginx, 'foreignNames'>;
  readonly php: PhpPools;
  readonly sftp: Sftp;
  readonly sftpPort: number;
}

/** Actions on how sites are served and on SFTP access. */
export function settingActions({ keeper, certificates, nginx, php, sftp, sftpPort }: SettingActionParts): ActionHandlers<Names> {
  const same = (requested: unknown, present: unknown): boolean => JSON.stringify(requested) === JSON.stringify(present);
  /** Returns which of the names are already used on this server by other sites or by virtual hosts the agent does not manage. */
  const takenOf = async (ref: SiteReference, names: readonly string[]): Promise<string[]> => {
    const present = namesOf(keeper.records.live(ref.name)?.domains ?? []);
    // A name the site already has is never taken away, even if a foreign virtual host claims it later.
    const foreign = names.every((name) => present.includes(name)) ? new Set<string>() : await nginx.foreignNames();
    const otherNames = namesOfOthers(keeper, ref);
    return names.filter((name) => otherNames.has(name) || (foreign.has(name) && !present.includes(name)));
  };
  return {
    'domains.apply': async (ref, { domains }) => {
      let taken: readonly string[] = [];
      const isChanged = await keeper.change(ref, async (site) => {
        taken = await takenOf(ref, namesOf(domains));
        return { ...site, domains: inOrder(domains.filter(({ name }) => !taken.includes(name))) };
      });
      // If two sites had the same name, nginx would pick either of them.
      if (taken[0] !== undefined)
        throw new HostRefusal('SERVER_DOMAIN', 'Another site on this server already uses one of these domains.', { name: taken[0] });
      return ended(isChanged);
    },
    'domains.taken': async (ref, { names }) => answered({ names: await takenOf(ref, names) }),
    'domains.matches': async (ref, { domains }) => answered({ same: same(inOrder(domains), keeper.require(ref).domains) }),
    'settings.apply': async (ref, { settings }) => ended(await keeper.change(ref, (site) => ({ ...site, settings }))),
    'settings.matches': async (ref, { settings }) => answered({ same: same(settings, keeper.require(ref).settings) }),
    'rewrites.apply': async (ref, { rules }) => ended(await keeper.change(ref, (site) => ({ ...site, rewrites: rules }))),
    'certificate.apply': async (ref, { certificate }) =>
      ended(
        await keeper.change(ref, async (site) => {
          const described = certificate ? certificates.describe(certificate) : null;
          const changed = { ...site, certificate: described };
          if (certificate && !same(described, site.certificate)) {
            await certificates.put(changed, certificate).catch(async (error: unknown) => {
              await certificates.tidy(site);
              throw error;
            });
          }
          return changed;
        }),
      ),
    'certificate.matches': async (ref, { certificate }) =>
      answered({ same: same(certificate ? certificates.describe(certificate) : null, keeper.require(ref).certificate) }),
    'proofs.apply': (ref, { proofs }) =>
      keeper.withLock(ref.name, async () => ended(await certificates.prove(keeper.require(ref), proofs))),
    'php.versions': async () => answered({ versions: await php.versions() }),
    'php.of': async (ref) => answered({ version: keeper.require(ref).php }),
    'php.apply': async (ref, { version }) => ended(await keeper.change(ref, (site) => ({ ...site, php: version }))),
    'sftp.password': (ref, { password }) =>
      keeper.withLock(ref.name, async () => {
        await sftp.setPassword(keeper.require(ref), password);
        return ended(true);
      }),
    'sftp.keys': async (ref, { keys }) => ended(await keeper.change(ref, (site) => ({ ...site, sftp: { ...site.sftp, keys: [...keys] } }))),
    'sftp.switch': async (ref, { enabled }) => ended(await keeper.change(ref, (site) => ({ ...site, sftp: { ...site.sftp, enabled } }))),
    'sftp.of': async (ref) => {
      const site = keeper.require(ref);
      const hasPassword = (await sftp.hashOf(site)) !== null;
      return answered({ enabled: hasSftp(site), user: site.user, port: sftpPort, hasPassword, keys: site.sftp.keys.length });
    },
  };
}

/** Sorts domains, so that equal sets compare as equal. */
function inOrder(domains: SiteRecord['domains']): SiteRecord['domains'] {
  return [...domains].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const namesOf = (domains: SiteRecord['domains']): string[] => domains.map(({ name }) => name);

/** Returns the names and domains of all other sites of the server. */
function namesOfOthers({ records }: SiteKeeper, { name: own }: SiteReference): Set<string> {
  const others = records.all().filter((one) => one.name !== own && !one.isKept && !one.isLeaving);
  return new Set(others.flatMap((one) => [one.name, ...namesOf(one.domains)]));
}
