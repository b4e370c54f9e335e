import { IsString, MaxLength } from 'class-validator';

import { Trimmed } from '../../operations/index.js';

/** Names one theme. */
export class ThemeInput {
  @Trimmed() @IsString() @MaxLength(64) name!: string;
}
