import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { NoticeAccounts, type NoticeAccount, type NoticeAccountFilter } from '../notify/index.js';

const READY = "{HostingAccount.state} IN ('active', 'paused')";
const SELECT = `SELECT {HostingAccount.id} AS id, {HostingAccount.username} AS username, {HostingAccount.email} AS email,
  {HostingAccount.nodeCode} AS server FROM {HostingAccount} WHERE ${READY} AND`;

type Row = NoticeAccount & { readonly server: string };

/** Recipients of notices on the user side: hosting accounts. */
@Injectable()
export class HostNoticeAccounts extends NoticeAccounts {
  private readonly byName;
  private readonly byId;
  private readonly next;
  private readonly nextOfServer;
  private readonly serverByCode;

  constructor(database: Database) {
    super();
    this.byName = database.statement<Row>(`${SELECT} {HostingAccount.userKey} = ?`);
    this.byId = database.statement<Row>(`${SELECT} {HostingAccount.id} = ?`);
    this.next = database.statement<Row>(`${SELECT} {HostingAccount.id} > ? ORDER BY {HostingAccount.id} LIMIT ?`);
    this.nextOfServer = database.statement<Row>(
      `${SELECT} {HostingAccount.nodeCode} = ? AND {HostingAccount.id} > ? ORDER BY {HostingAccount.id} LIMIT ?`,
    );
    this.serverByCode = database.statement<{ code: string }>(
      'SELECT {HostingNode.code} AS code FROM {HostingNode} WHERE LOWER({HostingNode.code}) = LOWER(?)',
    );
  }

  async find(username: string): Promise<NoticeAccount | null> {
    return (await this.byName.get(username.toLowerCase())) ?? null;
  }

  async findById(id: number): Promise<NoticeAccount | null> {
    return (await this.byId.get(id)) ?? null;
  }

  after(id: number, limit: number, { server }: NoticeAccountFilter): Promise<NoticeAccount[]> {
    return server === undefined ? this.next.all(id, limit) : this.nextOfServer.all(server, id, limit);
  }

  async serverOf(id: number): Promise<string | null> {
    return (await this.byId.get(id))?.server ?? null;
  }

  async serverNamed(code: string): Promise<string | null> {
    return (await this.serverByCode.get(code))?.code ?? null;
  }
}
