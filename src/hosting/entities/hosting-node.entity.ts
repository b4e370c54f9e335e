import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Operating system of a hosting node, as `btos` has it on the wire. */
export enum NodeSystem {
  Linux = 1,
  Windows = 2,
}

/** Weight of a server nobody gave another one. */
export const USUAL_WEIGHT = 100;

/**
 * A server accounts live on. `driver` says who does the work there: `embedded` is this machine itself,
 * `{plugin}:{kind}` a driver of a plugin.
 */
@Entity('SVC_bt')
@Unique('UQ_SVC_bt_btdh', ['code'])
@Unique('UQ_SVC_bt_btdh_key', ['codeKey'])
export class HostingNode {
  @PrimaryGeneratedColumn() id!: number;
  /** Node code, the reference used everywhere outside. */
  @StringColumn(64, { name: 'btdh' }) code!: string;
  /** The code in lower case: two that differ in case only would be taken for each other. */
  @StringColumn(64, { name: 'btdh_key' }) codeKey!: string;
  @StringColumn(255, { name: 'btip', default: '' }) address!: string;
  @IntegerColumn({ name: 'btdk', default: 0 }) port!: number;
  /** API key of the server panel, sealed; empty where there is none. See `DriverNodes`. */
  @StringColumn(1_100, { name: 'btmy', default: '' }) sealedPanelKey!: string;
  /** First half of what callers must know, sealed; `svc_keye` is md5 of both. See `CallingKeys`. */
  @StringColumn(512, { name: 'ktmy' }) openKey!: string;
  @StringColumn(512, { name: 'qmk' }) signatureKey!: string;
  /** The pair before the last change, which callers may still use until {@link previousUntil}. */
  @StringColumn(512, { name: 'ktmy_old', nullable: true }) previousOpenKey!: string | null;
  @StringColumn(512, { name: 'qmk_old', nullable: true }) previousSignatureKey!: string | null;
  /** When the previous pair stops working; null where there is none. */
  @TimeColumn({ name: 'old_until', nullable: true }) previousUntil!: Date | null;
  @IntegerColumn({ name: 'btos', default: NodeSystem.Linux }) system!: NodeSystem;
  @StringColumn(10, { name: 'mrbts_php', default: '' }) defaultPhp!: string;
  /** DNS target shown to users. */
  @StringColumn(200, { name: 'als', default: '' }) dnsTarget!: string;
  /** Custom FTP address; empty means the node's own. */
  @StringColumn(255, { name: 'ftpdz', default: '' }) ftpAddress!: string;
  @FlagColumn({ name: 'ptl', default: false }) secure!: boolean;
  @FlagColumn({ name: 'qk', default: true }) enabled!: boolean;
  /** Hosts it takes at most, deleted ones not counted; 0: any number. */
  @IntegerColumn({ name: 'rl', default: 0 }) capacity!: number;
  /** How much of what is sold on its groups comes to it, beside the weights of others, 1 to 1,000. */
  @IntegerColumn({ name: 'qz', default: USUAL_WEIGHT }) weight!: number;
  @StringColumn(100, { default: 'embedded' }) driver!: string;
  /** Since when it does not answer, as `ServerPresence` found; null: it does, or nobody has looked. */
  @TimeColumn({ name: 'away_since', nullable: true }) awaySince!: Date | null;
  /** Administrators were told of that. */
  @FlagColumn({ name: 'away_told', default: false }) awayTold!: boolean;
  /** Values of the fields its kind declares, sealed; see `DriverNodes`. */
  @TextColumn({ name: 'driver_settings', nullable: true }) driverSettings!: string | null;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}
