import 'reflect-metadata';

import { plainToInstance, Type, type ClassConstructor } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';

import { PluginStoreError } from './errors.js';

const SLUG = /^[a-zA-Z0-9_-]{1,63}$/;
const VERSION = /^[0-9A-Za-z.+_-]{1,32}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const KEY_ID = /^[0-9a-f]{16}$/;
const COUNT = 2_147_483_647;

/** A list of nested, validated objects. */
const ListOf =
  (type: () => ClassConstructor<object>, max: number): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [IsArray(), ArrayMaxSize(max), ValidateNested({ each: true }), Type(type)]) decorate(target, key as string);
  };

/** An item in a store's response. */
export class StoreItemWire {
  @IsInt() @Min(1) @Max(COUNT) id!: number;
  @IsIn(['plugin', 'theme']) type!: 'plugin' | 'theme';
  @Matches(SLUG) slug!: string;
  @IsString() @MaxLength(100) name!: string;
  @Matches(VERSION) version!: string;
  @IsString() @MaxLength(60) author_name!: string;
  @IsNumber() @Min(0) price!: number;
  @IsString() @MaxLength(200_000) description!: string;
  @IsString() @MaxLength(300) main_image!: string;
  /** JSON array of paths. */
  @IsString() @MaxLength(10_000) screenshots!: string;
  @Matches(SHA256) sha256!: string;
  @IsInt() @Min(0) @Max(COUNT) downloads!: number;
  /** Average and number of ratings; missing in older stores. */
  @IsOptional() @IsNumber() @Min(1) @Max(5) rating?: number | null;
  @IsOptional() @IsInt() @Min(0) @Max(COUNT) ratings?: number;
  @IsString() @MaxLength(100) requires_svc!: string;
  @IsString() @MaxLength(40) category!: string;
  @IsString() @MaxLength(500) homepage!: string;
}

/** A page of items. */
export class StoreItemsWire {
  @ListOf(() => StoreItemWire, 100) items!: StoreItemWire[];
  @IsInt() @Min(0) @Max(COUNT) total!: number;
}

/** A version in a store's response. */
export class StoreVersionWire {
  @Matches(VERSION) version!: string;
  @IsInt() @Min(1) @Max(COUNT) zip_size!: number;
  @Matches(SHA256) sha256!: string;
  /** `beta`: only for those who opted in; missing in older stores. */
  @IsOptional() @IsString() @MaxLength(20) channel?: string;
  @IsString() @MaxLength(10_000) changelog!: string;
  @IsString() @MaxLength(100) requires_svc!: string;
  @IsArray() @ArrayMaxSize(50) @IsString({ each: true }) @MaxLength(210, { each: true }) permissions!: string[];
  @IsString() @MaxLength(100) signature!: string;
  @Matches(KEY_ID) key_id!: string;
  @IsString() @MaxLength(30) signed_at!: string;
  /** The author's keys up to the signing one (the last); missing in older stores. */
  @IsOptional() @IsArray() @ArrayMaxSize(20) @Matches(KEY_ID, { each: true }) author_keys?: string[];
  @IsString() @MaxLength(30) created_at!: string;
}

/** A rating of a version. */
export class StoreRatingWire {
  @Matches(VERSION) version!: string;
  @IsInt() @Min(1) @Max(5) stars!: number;
  @IsString() @MaxLength(2_000) text!: string;
  @IsString() @MaxLength(60) username!: string;
  @IsString() @MaxLength(2_000) reply!: string;
  @IsString() @MaxLength(30) updated_at!: string;
}

/** The newest ratings of an item. */
export class StoreRatingsWire {
  @ListOf(() => StoreRatingWire, 100) items!: StoreRatingWire[];
}

/** The versions of an item. */
export class StoreVersionsWire {
  @ListOf(() => StoreVersionWire, 200) versions!: StoreVersionWire[];
}

/** A signing key of a store. */
export class StoreKeyWire {
  @Matches(KEY_ID) key_id!: string;
  @IsString() @MaxLength(500) public_key!: string;
  @IsString() @MaxLength(30) since!: string;
  @IsString() @MaxLength(100) succession!: string;
}

/** The keys of a store, the current one last. */
export class StoreKeysWire {
  @Matches(KEY_ID) key_id!: string;
  @ListOf(() => StoreKeyWire, 200) keys!: StoreKeyWire[];
}

/** The store's block list, as signed text. */
export class StoreRevocationsWire {
  @IsString() @MaxLength(8_000_000) list!: string;
  @IsString() @MaxLength(100) signature!: string;
  @Matches(KEY_ID) key_id!: string;
}

class BlockedWire {
  @Matches(SHA256) sha256!: string;
  @IsString() @MaxLength(255) reason!: string;
}

/** The list in {@link StoreRevocationsWire}. */
export class StoreBlockedWire {
  @IsString() @MaxLength(30) issued_at!: string;
  @ListOf(() => BlockedWire, 10_000) blocked!: BlockedWire[];
}

class ClosedWire {
  @Matches(SLUG) slug!: string;
  @IsString() @MaxLength(2_000) reason!: string;
  @IsString() @MaxLength(30) since!: string;
}

class WithdrawnWire {
  @Matches(SLUG) slug!: string;
  @Matches(VERSION) version!: string;
  @IsString() @MaxLength(500) reason!: string;
  @IsString() @MaxLength(30) since!: string;
}

class UpdateWire {
  @Matches(SLUG) slug!: string;
  @Matches(VERSION) version!: string;
  /** As in {@link StoreVersionWire}. */
  @IsOptional() @IsString() @MaxLength(20) channel?: string;
}

/** Newer versions, discontinued items, and withdrawn versions; older stores omit the latter. */
export class StoreUpdatesWire {
  @ListOf(() => UpdateWire, 100) updates!: UpdateWire[];
  @ListOf(() => ClosedWire, 100) closed!: ClosedWire[];
  @IsOptional() @ListOf(() => WithdrawnWire, 100) withdrawn?: WithdrawnWire[];
}

/** Validates a store's response. @throws PluginStoreError STORE_ANSWER */
export function checkedAnswer<T extends object>(type: ClassConstructor<T>, data: unknown): T {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new PluginStoreError('STORE_ANSWER');
  const value = plainToInstance(type, data);
  const [problem] = validateSync(value);
  if (problem)
    throw new PluginStoreError('STORE_ANSWER', {}, undefined, { cause: new Error(`${type.name}.${problem.property} is invalid`) });
  return value;
}
