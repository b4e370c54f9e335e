import { Max, Min } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { checkInput } from '../http/index.js';

import { WholeNumber } from './input-fields.js';
import { inputRefusal } from './input-refusal.js';
import './texts.js';

class Ranges {
  @WholeNumber() @Min(-5) floor = 0;
  @Min(0.5) weight = 1;
  @Max(1_000) web2mb = 1;
}

describe('inputRefusal', () => {
  it.each([
    ['floor', '-6', 'Must be at least -5'],
    ['weight', 0.25, 'Must be at least 0.5'],
    ['web2mb', 1_001, 'Must be at most 1000'],
  ])('states the limit of %s in the message', (field, value, words) => {
    const refuse = (): unknown => checkInput(Ranges, { [field]: value }, (problems) => inputRefusal(problems, 'en'));
    expect(refuse).toThrowError(expect.objectContaining({ fields: { [field]: words } }) as Error);
  });
});
