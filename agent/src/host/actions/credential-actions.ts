import { Readable } from 'node:stream';

import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { asRecord } from '../../record.js';
import { answered, ended } from '../action-result.js';
import type { Databases } from '../database/databases.js';
import { HostRefusal } from '../refusal.js';
import type { Sftp } from '../sftp/sftp.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import type { ActionHandlers } from './action-handlers.js';

type Names = Extract<ActionName, `credentials.${string}`>;

/** Dependencies of the credential actions. */
export interface CredentialActionParts {
  readonly keeper: SiteKeeper;
  readonly sftp: Sftp;
  readonly databases: Databases;
}

/** Transfers the password hashes of sites, so that logins keep working after a site is moved to another server. */
export function credentialActions({ keeper, sftp, databases }: CredentialActionParts): ActionHandlers<Names> {
  return {
    'credentials.take': async (ref, _args, { send }) => {
      const site = keeper.require(ref);
      const own: Record<string, string> = {};
      for (const { name } of site.databases) {
        const hash = await databases.hashOf(name);
        if (hash !== null) own[name] = hash;
      }
      const bytes = Buffer.from(JSON.stringify({ sftp: await sftp.hashOf(site), databases: own }));
      await send({ bytes: bytes.length, content: Readable.from([bytes]) });
      return answered({});
    },
    'credentials.give': async (ref, { credentials }) => {
      const { sftp: access, databases: own } = read(credentials);
      const site = keeper.require(ref);
      for (const database of site.databases) {
        const hash = own[database.name];
        if (hash !== undefined) await keeper.withLock(ref.name, () => databases.setHash(database, hash, site));
      }
      if (access !== null) await keeper.withLock(ref.name, () => sftp.setHash(keeper.require(ref), access));
      return ended(true);
    },
  };
}

/** @throws HostRefusal `ARGUMENTS` */
function read(text: string): { sftp: string | null; databases: Record<string, string> } {
  try {
    const { sftp, databases } = asRecord(JSON.parse(text)) ?? {};
    const own = asRecord(databases) ?? {};
    if ((sftp === null || typeof sftp === 'string') && Object.values(own).every((hash) => typeof hash === 'string'))
      return { sftp, databases: own as Record<string, string> };
  } catch {
    // Reported below.
  }
  throw new HostRefusal('ARGUMENTS', 'The credentials of the site are invalid.');
}
