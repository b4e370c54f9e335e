import type { DnsRecord, SvcFacade } from '@svc/sdk';

/** Table of the records. */
export const RECORDS = {
  name: 'record',
  columns: [
    { name: 'zone', type: 'string' as const, length: 255 },
    { name: 'type', type: 'string' as const, length: 8 },
    { name: 'name', type: 'string' as const, length: 255 },
    { name: 'value', type: 'text' as const },
    { name: 'mark', type: 'string' as const, length: 255 },
  ],
  indexes: [{ columns: ['zone', 'name'] }],
};

/** A DNS provider with one zone, whose records are only rows. A real one calls its provider's API. */
export function registerDnsDriver(svc: SvcFacade): void {
  svc.svc_register_dns_driver('list', {
    title: 'dns',
    help: 'dns_help',
    fields: [{ key: 'zone', label: 'zone', type: 'text', required: true }],
    zones: ({ zone = '' }, name) => (name === null || name === zone ? [{ id: zone, name: zone }] : []),
    records: async (_settings, zone, name) => {
      const rows = await svc.db.query('SELECT id, type, name, value, mark FROM {record} WHERE zone = ? AND name = ? ORDER BY id', [
        zone.id,
        name,
      ]);
      return rows.map((row) => ({ ...row, id: String(row.id) }) as unknown as DnsRecord);
    },
    put: async (_settings, zone, { id, type, name, value, mark }) => {
      if (id !== null) {
        await svc.db.run('UPDATE {record} SET value = ?, mark = ? WHERE id = ? AND zone = ?', [value, mark, Number(id), zone.id]);
        return id;
      }
      const { insertId } = await svc.db.run('INSERT INTO {record} (zone, type, name, value, mark) VALUES (?, ?, ?, ?, ?)', [
        zone.id,
        type,
        name,
        value,
        mark,
      ]);
      return String(insertId);
    },
    remove: async (_settings, zone, { id }) => {
      await svc.db.run('DELETE FROM {record} WHERE id = ? AND zone = ?', [Number(id), zone.id]);
    },
  });
}
