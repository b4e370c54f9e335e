import { Entity, PrimaryColumn } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** A bundled program that was added to the catalogue. Added only once: if it is removed from the catalogue, it is not added again. */
@Entity('SVC_program_bundled')
export class BundledProgram {
  /** Its folder in `programs`. */
  @PrimaryColumn({ type: 'varchar', length: 40 }) slug!: string;
  @IntegerColumn() version!: number;
  /** Id of the catalogue row; null if its name was taken. */
  @IntegerColumn({ name: 'program_id', nullable: true }) programId!: number | null;
  /** SHA-256 of the added archive, form and steps. A program changed since is not updated. */
  @StringColumn(64) digest!: string;
}
