import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { HostsService, SVC_FACADE, type SvcFacade } from '@svc/sdk';

/** Counts requests in a table of the plugin. */
@Injectable()
export class Visits {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  async prepare(): Promise<void> {
    const visit = { name: 'visit', columns: [{ name: 'at', type: 'datetime' as const }] };
    await this.svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(visit) }]);
  }

  async count(): Promise<number> {
    await this.svc.db.run('INSERT INTO {visit} (at) VALUES (?)', [new Date().toISOString().slice(0, 19).replace('T', ' ')]);
    const [row] = await this.svc.db.query('SELECT COUNT(*) AS n FROM {visit}', []);
    return Number(row?.n ?? 0);
  }
}

/** What the plugin registers. `svc-plugin build` emits the parameter types, so Nest can inject by type. */
@Injectable()
export class __Name__ implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    private readonly hosts: HostsService,
    private readonly visits: Visits,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.visits.prepare();
    this.svc.svc_register_route('GET', '/__name__', async () => ({
      servers: (await this.hosts.nodes()).length,
      visits: await this.visits.count(),
    }));
  }
}

@Module({ providers: [Visits, __Name__] })
export default class __Name__Module {}
