import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** A program of ours that was put into the catalogue, once: whoever takes it out there does not get it back. */
@Entity('SVC_program_bundled')
export class BundledProgram {
  /** Its folder in `programs`. */
  @PrimaryColumn({ type: 'varchar', length: 40 }) slug!: string;
  @IntegerColumn() version!: number;
  /** Id of the row of the catalogue; null where its name was taken. */
  @IntegerColumn({ name: 'program_id', nullable: true }) programId!: number | null;
  /** SHA-256 of what was put there: archive, form and steps. One that was changed there since is left alone. */
  @StringColumn(64) digest!: string;
}
