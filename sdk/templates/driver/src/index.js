import { definePlugin } from '@svc/sdk';

/** The sites of this driver. Replace the table with calls to your servers: `node.settings` contains the values entered for each server. */
const SITES = {
  name: 'site',
  columns: [
    { name: 'node', type: 'string', length: 64 },
    { name: 'name', type: 'string', length: 64 },
    { name: 'mark', type: 'string', length: 255 },
    { name: 'username', type: 'string', length: 64 },
    { name: 'suspended', type: 'integer' },
    { name: 'stopped', type: 'integer' },
  ],
  indexes: [{ columns: ['node', 'name'], unique: true }],
};
const FOREIGN = { outcome: 'refused', message: 'This site belongs to another account.' };

export default definePlugin(async (svc) => {
  await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(SITES) }]);

  const find = async (node, name) => {
    const rows = await svc.db.query('SELECT * FROM {site} WHERE node = ? AND name = ?', [node.code, name]);
    return rows[0];
  };

  /** Applies a change: the site must exist and belong to this account; a change without effect returns `already`. */
  const change = async (account, to, deadline) => {
    deadline.throwIfAborted();
    const site = await find(account.node, account.siteName);
    if (!site) return { outcome: 'not_found' };
    if (site.mark !== account.ownerMark) return FOREIGN;
    if (Object.entries(to).every(([column, value]) => site[column] === value)) return { outcome: 'already' };
    const columns = Object.keys(to).map((column) => `${column} = ?`);
    await svc.db.run(`UPDATE {site} SET ${columns.join(', ')} WHERE node = ? AND name = ?`, [
      ...Object.values(to),
      account.node.code,
      account.siteName,
    ]);
    return { outcome: 'ok' };
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
      const rows = await svc.db.query('SELECT * FROM {site} WHERE node = ? AND name > ? ORDER BY name LIMIT 100', [
        node.code,
        cursor ?? '',
      ]);
      const sites = rows.map(({ name, mark, username, suspended, stopped }) => ({
        siteName: name,
        siteId: name,
        ownerMark: mark,
        username,
        running: suspended + stopped === 0,
        suspended: suspended === 1,
      }));
      return { outcome: 'ok', value: { sites, next: rows.length === 100 ? rows[99].name : null } };
    },
  });
});
