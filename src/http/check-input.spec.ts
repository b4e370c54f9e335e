import 'reflect-metadata';

import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { expect, it } from 'vitest';

import { checkInput, type FieldProblem } from './check-input.js';

class Row {
  @IsString({ message: 'shop.slug' }) slug!: string;
}

class Form {
  @IsOptional() @IsInt() @Min(1) page = 1;
  @IsString() @MaxLength(3) name!: string;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Row) rows?: Row[];
}

class Refused extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('refused');
  }
}

const check = (fields: object): Form => checkInput(Form, fields, (problems) => new Refused(problems));

it('creates a form without unknown fields and with its defaults', () => {
  const fields = Object.assign(Object.create(null) as object, { name: 'abc', other: 'x', page: undefined });
  const form = check(fields);
  expect(form).toBeInstanceOf(Form);
  expect({ ...form }).toEqual({ page: 1, name: 'abc' });
});

it('reports one problem per field: the first broken rule, with its path', () => {
  const problems = (fields: object): unknown => {
    try {
      check(fields);
    } catch (error) {
      return (error as Refused).problems;
    }
  };
  expect(problems({ page: 'x', name: 'abcd' })).toEqual([
    { field: 'page', path: 'page', rule: 'min', message: 'page must not be less than 1' },
    { field: 'name', path: 'name', rule: 'maxLength', message: 'name must be shorter than or equal to 3 characters' },
  ]);
  expect(problems({ name: '' })).toBeUndefined();
  expect(problems({})).toMatchObject([{ field: 'name', rule: 'isNotEmpty' }]);
  expect(problems({ name: 'abc', rows: [{ slug: 'a' }, { slug: 7 }] })).toEqual([
    { field: 'rows', path: 'rows.1.slug', rule: 'isString', message: 'shop.slug' },
  ]);
});

it('applies inherited rules, and rules added after the first check', () => {
  class Child extends Form {
    @IsInt() age!: number;
  }
  const failing = (fields: object): unknown => {
    try {
      return { ...checkInput(Child, fields, (problems) => new Refused(problems)) };
    } catch (error) {
      return (error as Refused).problems.map(({ path }) => path);
    }
  };
  expect(failing({ age: 'x', name: 'abcd' })).toEqual(['age', 'name']);
  expect(failing({ age: 1, name: 'abc', note: 'dropped' })).toEqual({ page: 1, age: 1, name: 'abc' });
  MaxLength(2)(Child.prototype, 'note');
  expect(failing({ age: 1, name: 'abc', note: 'kept no longer' })).toEqual(['note']);
  expect(failing({ age: 1, name: 'abc', note: 'ab' })).toEqual({ page: 1, age: 1, name: 'abc', note: 'ab' });
});
