import { HostsService, SVC_FACADE } from '@svc/sdk';

/** Counts requests in a table of the plugin. */
export class Visits {
  constructor(svc) {
    this.svc = svc;
  }

  async prepare() {
    const visit = { name: 'visit', columns: [{ name: 'at', type: 'datetime' }] };
    await this.svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(visit) }]);
  }

  async count() {
    await this.svc.db.run('INSERT INTO {visit} (at) VALUES (?)', [new Date().toISOString().slice(0, 19).replace('T', ' ')]);
    const [row] = await this.svc.db.query('SELECT COUNT(*) AS n FROM {visit}', []);
    return Number(row?.n ?? 0);
  }
}

/** What the plugin registers. */
export class __Name__ {
  constructor(svc, hosts, visits) {
    Object.assign(this, { svc, hosts, visits });
  }

  async onModuleInit() {
    await this.visits.prepare();
    this.svc.svc_register_route('GET', '/__name__', async () => ({
      servers: (await this.hosts.nodes()).length,
      visits: await this.visits.count(),
    }));
  }
}

// Plain JavaScript has no decorators, so the dependencies to inject are listed here.
export default {
  module: class __Name__Module {},
  providers: [
    { provide: Visits, useFactory: (svc) => new Visits(svc), inject: [SVC_FACADE] },
    { provide: __Name__, useFactory: (...parts) => new __Name__(...parts), inject: [SVC_FACADE, HostsService, Visits] },
  ],
};
