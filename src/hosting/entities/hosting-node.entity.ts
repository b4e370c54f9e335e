import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Operating system of a hosting node, with the values of `btos` in the wire format. */
export enum NodeSystem {
  Linux = 1,
  Windows = 2,
}

/** Default weight of a server. */
export const DEFAULT_WEIGHT = 100;

/** A server that hosts accounts. `driver` is `embedded` for this machine itself, or `{plugin}:{kind}` for a driver of a plugin. */
@Entity('SVC_bt')
@Unique('UQ_SVC_bt_btdh', ['code'])
@Unique('UQ_SVC_bt_btdh_key', ['codeKey'])
export class HostingNode {
  @PrimaryGeneratedColumn() id!: number;
  /** Node code, the reference used in all external interfaces. */
  @StringColumn(64, { name: 'btdh' }) code!: string;
  /** The code in lower case: codes must not differ in case only, because people would confuse them. */
  @StringColumn(64, { name: 'btdh_key' }) codeKey!: string;
  @StringColumn(255, { name: 'btip', default: '' }) address!: string;
  @IntegerColumn({ name: 'btdk', default: 0 }) port!: number;
  /** API key of the server panel, encrypted; empty: none. See `DriverNodes`. */
  @StringColumn(1_100, { name: 'btmy', default: '' }) sealedPanelKey!: string;
  /** First half of the callers' credentials, encrypted; `svc_keye` is the MD5 of both. See `CallingKeys`. */
  @StringColumn(512, { name: 'ktmy' }) openKey!: string;
  @StringColumn(512, { name: 'qmk' }) signatureKey!: string;
  /** The previous pair of keys, which callers may still use until {@link previousUntil}. */
  @StringColumn(512, { name: 'ktmy_old', nullable: true }) previousOpenKey!: string | null;
  @StringColumn(512, { name: 'qmk_old', nullable: true }) previousSignatureKey!: string | null;
  /** When the previous pair stops working; null: there is none. */
  @TimeColumn({ name: 'old_until', nullable: true }) previousUntil!: Date | null;
  @IntegerColumn({ name: 'btos', default: NodeSystem.Linux }) system!: NodeSystem;
  @StringColumn(10, { name: 'mrbts_php', default: '' }) defaultPhp!: string;
  /** DNS target shown to users. */
  @StringColumn(200, { name: 'als', default: '' }) dnsTarget!: string;
  /** Custom FTP address; empty means the node's own. */
  @StringColumn(255, { name: 'ftpdz', default: '' }) ftpAddress!: string;
  @FlagColumn({ name: 'ptl', default: false }) secure!: boolean;
  @FlagColumn({ name: 'qk', default: true }) enabled!: boolean;
  /** Maximum number of hosts, deleted ones not counted; 0: unlimited. */
  @IntegerColumn({ name: 'rl', default: 0 }) capacity!: number;
  /** Its share of new hosts in its groups, relative to the weights of the other servers, 1 to 1,000. */
  @IntegerColumn({ name: 'qz', default: DEFAULT_WEIGHT }) weight!: number;
  @StringColumn(100, { default: 'embedded' }) driver!: string;
  /** Since when it is unreachable, as detected by `ServerPresence`; null: reachable, or not checked yet. */
  @TimeColumn({ name: 'away_since', nullable: true }) awaySince!: Date | null;
  /** Whether administrators were notified of the outage. */
  @FlagColumn({ name: 'away_told', default: false }) awayTold!: boolean;
  /** Values of the fields its kind declares, encrypted; see `DriverNodes`. */
  @TextColumn({ name: 'driver_settings', nullable: true }) driverSettings!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}
