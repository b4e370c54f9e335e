/** A row of a fake server panel, as its tables have them. */
export type Row = Record<string, string | number>;

/** A site a fake server panel has. */
export interface FakeSite extends Row {
  id: number;
  name: string;
  path: string;
  status: '0' | '1';
  ps: string;
  edate: string;
  addtime: string;
  type_id: number;
}

/** What a site is served with. */
export interface FakeServing {
  php: string;
  runPath: string;
  indexes: string;
  certificate: { key: string; csr: string } | null;
  httpTohttps: boolean;
  bindings: { id: number; domain: string; path: string; port: number }[];
}

/** Everything a fake server panel knows besides the files on its disk. */
export class PanelState {
  readonly sites: FakeSite[] = [];
  readonly ftps: (Row & { id: number; pid: number; name: string; password: string; status: string })[] = [];
  readonly databases: (Row & { id: number; pid: number; name: string; username: string; password: string; accept: string })[] = [];
  readonly domains: (Row & { id: number; pid: number; name: string; port: number })[] = [];
  readonly backups: (Row & { id: number; pid: number; type: string; name: string; filename: string; size: number })[] = [];
  readonly serving = new Map<number, FakeServing>();
  /** Tokens of download links, with the path each leads to. */
  readonly links = new Map<string, { id: number; path: string }>();
  /** SQL that was run, by database. */
  readonly imported: { database: string; sql: string }[] = [];
  php = ['74', '82'];
  private next = 1;

  /** Ids of a table are never used again, unless the panel is set up anew. */
  id(): number {
    return this.next++;
  }

  /** The server is set up anew: what was made is gone, and ids begin again. */
  reset(): void {
    for (const table of [this.sites, this.ftps, this.databases, this.domains, this.backups]) table.length = 0;
    this.serving.clear();
    this.next = 1;
  }

  /** Rows of a table in which a text occurs, as its search finds them: in names and in notes. No text: all of them. */
  search(table: string, text: string): Row[] {
    const rows = { sites: this.sites, ftps: this.ftps, databases: this.databases, domain: this.domains, backup: this.backups }[table] ?? [];
    if (text === '') return rows as Row[];
    if (table === 'domain' || table === 'backup') return (rows as Row[]).filter(({ pid }) => String(pid) === text);
    const wanted = text.toLowerCase();
    return (rows as Row[]).filter(({ name, ps = '' }) => `${name}\0${ps}`.toLowerCase().includes(wanted));
  }
}
