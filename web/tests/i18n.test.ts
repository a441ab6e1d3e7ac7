/** A text gets its values, and plurals follow the language. That every language has every text is tested in tests/catalogue/. */

import { describe, expect, it } from 'vitest';
import { fill, type Plural } from '../src/i18n/format';

describe('fill', () => {
  it('puts values into holes', () => {
    expect(fill('{a} gives {card} to {b}', { a: 'Ana', b: 'Ben', card: '7' }, new Intl.PluralRules('en'))).toBe('Ana gives 7 to Ben');
  });

  it('takes the form of the number in the language', () => {
    const cards: Plural = { one: '{n} carte', other: '{n} cartes' };
    expect(fill(cards, { n: 0 }, new Intl.PluralRules('fr'))).toBe('0 carte');
    expect(fill(cards, { n: 0 }, new Intl.PluralRules('en'))).toBe('0 cartes');
    expect(fill(cards, { n: 2 }, new Intl.PluralRules('fr'))).toBe('2 cartes');
  });

  it('leaves text of a value alone', () => {
    expect(fill('{name} wins', { name: '{n}' }, new Intl.PluralRules('en'))).toBe('{n} wins');
  });
});
