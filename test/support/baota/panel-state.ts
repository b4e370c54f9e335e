/** Row of a table of a fake server panel. */
export type Row = Record<string, string | number>;

/** Site of a fake server panel. */
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

/** Web server settings of a site. */
export interface FakeServing {
  php: string;
  runPath: string;
  indexes: string;
  certificate: { key: string; csr: string } | null;
  httpTohttps: boolean;
  bindings: { id: number; domain: string; path: string; port: number }[];
}

/** State of a fake server panel, apart from the files on its disk. */
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

  /** Returns the next id; ids are never reused until {@link reset}. */
  id(): number {
    return this.next++;
  }

  /** Resets the panel as a reinstallation does: removes all rows and restarts the ids. */
  reset(): void {
    for (const table of [this.sites, this.ftps, this.databases, this.domains, this.backups]) table.length = 0;
    this.serving.clear();
    this.next = 1;
  }

  /** Returns the rows of a table that contain a text, as its search does: in names and notes; all rows for an empty text. */
  search(table: string, text: string): Row[] {
    const rows = { sites: this.sites, ftps: this.ftps, databases: this.databases, domain: this.domains, backup: this.backups }[table] ?? [];
    if (text === '') return rows as Row[];
    if (table === 'domain' || table === 'backup') return (rows as Row[]).filter(({ pid }) => String(pid) === text);
    const wanted = text.toLowerCase();
    return (rows as Row[]).filter(({ name, ps = '' }) => `${name}\0${ps}`.toLowerCase().includes(wanted));
  }
}
