import { Transform } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Note on a decision. */
export class Note {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString({ message: 'store.note_invalid' })
  @MaxLength(2_000, { message: 'store.note_invalid' })
  msg?: string;
}
