import { definePlugin, type HostDriverAccount, type HostDriverNode, type HostDriverResult } from '@svc/sdk';

/**
 * A site as this driver stores it. Replace the table with calls to your servers: `node.settings` contains the values entered for each
 * server.
 */
interface Site {
  name: string;
  mark: string;
  username: string;
  suspended: number;
  stopped: number;
}

const SITES = {
  name: 'site',
  columns: [
    { name: 'node', type: 'string' as const, length: 64 },
    { name: 'name', type: 'string' as const, length: 64 },
    { name: 'mark', type: 'string' as const, length: 255 },
    { name: 'username', type: 'string' as const, length: 64 },
    { name: 'suspended', type: 'integer' as const },
    { name: 'stopped', type: 'integer' as const },
  ],
  indexes: [{ columns: ['node', 'name'], unique: true }],
};
const FOREIGN = { outcome: 'refused' as const, message: 'This site belongs to another account.' };

export default definePlugin(async (svc) => {
  await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(SITES) }]);

  const find = async (node: HostDriverNode, name: string): Promise<Site | undefined> => {
    const rows = await svc.db.query('SELECT * FROM {site} WHERE node = ? AND name = ?', [node.code, name]);
    return rows[0] as unknown as Site | undefined;
  };

  /** Applies a change: the site must exist and belong to this account; a change without effect returns `already`. */
  const change = async (account: HostDriverAccount, to: Partial<Site>, deadline: AbortSignal): Promise<HostDriverResult> => {
    deadline.throwIfAborted();
    const site = await find(account.node, account.siteName);
    if (!site) return { outcome: 'not_found' };
    if (site.mark !== account.ownerMark) return FOREIGN;
    if (Object.entries(to).every(([column, value]) => site[column as keyof Site] === value))
      return { outcome: 'already', value: undefined };
    const columns = Object.keys(to).map((column) => `${column} = ?`);
    await svc.db.run(`UPDATE {site} SET ${columns.join(', ')} WHERE node = ? AND name = ?`, [
      ...Object.values(to),
      account.node.code,
      account.siteName,
    ]);
    return { outcome: 'ok', value: undefined };
  };

  svc.svc_register_host_driver('__name__', {
    title: 'title',
    fields: [{ key: 'token', label: 'token', type: 'password', required: true }],
    uses: ['address'],
    can: ['static'],
    probe: async ({ settings }) =>
      settings.token
        ? { outcome: 'ok', value: { version: '1.0', system: '__name__' } }
        : { outcome: 'refused', message: 'The token is missing.' },
    create: async (site, deadline) => {
      deadline.throwIfAborted();
      const there = await find(site.node, site.siteName);
      if (there && there.mark !== site.ownerMark) return FOREIGN;
      if (!there)
        await svc.db.run('INSERT INTO {site} (node, name, mark, username, suspended, stopped) VALUES (?, ?, ?, ?, 0, 0)', [
          site.node.code,
          site.siteName,
          site.ownerMark,
          site.username,
        ]);
      return { outcome: there ? 'already' : 'ok', value: { siteId: site.siteName } };
    },
    suspend: (account, _reason, deadline) => change(account, { suspended: 1 }, deadline),
    unsuspend: (account, to, deadline) => change(account, { suspended: 0, stopped: to === 'stopped' ? 1 : 0 }, deadline),
    start: (account, deadline) => change(account, { stopped: 0 }, deadline),
    stop: (account, deadline) => change(account, { stopped: 1 }, deadline),
    // A table has no expiry, limits or passwords, so there is nothing to change.
    renew: (account, _expiresOn, deadline) => change(account, {}, deadline),
    changeQuota: (account, _quota, deadline) => change(account, {}, deadline),
    changePassword: (account, _password, deadline) => change(account, {}, deadline),
    terminate: async (account, deadline) => {
      const may = await change(account, {}, deadline);
      if (may.outcome !== 'already') return may;
      await svc.db.run('DELETE FROM {site} WHERE node = ? AND name = ?', [account.node.code, account.siteName]);
      return { outcome: 'ok' };
    },
    sync: async (account, deadline) => {
      deadline.throwIfAborted();
      const site = await find(account.node, account.siteName);
      if (!site) return { outcome: 'not_found' };
      if (site.mark !== account.ownerMark) return FOREIGN;
      const running = site.suspended === 0 && site.stopped === 0;
      return { outcome: 'ok', value: { running, suspended: site.suspended === 1, webUsedBytes: 0, databaseUsedBytes: 0 } };
    },
    list: async (node, cursor, deadline) => {
      deadline.throwIfAborted();
      const found = await svc.db.query('SELECT * FROM {site} WHERE node = ? AND name > ? ORDER BY name LIMIT 100', [
        node.code,
        cursor ?? '',
      ]);
      const rows = found as unknown as Site[];
      const sites = rows.map(({ name, mark, username, suspended, stopped }) => ({
        siteName: name,
        siteId: name,
        ownerMark: mark,
        username,
        running: suspended + stopped === 0,
        suspended: suspended === 1,
      }));
      return { outcome: 'ok', value: { sites, next: rows.length === 100 ? rows[99]!.name : null } };
    },
  });
});
