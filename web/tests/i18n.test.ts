/** Every language has every text, with the same holes; plurals follow the language. */

import { describe, expect, it } from 'vitest';
import { de } from '../src/i18n/de';
import { en } from '../src/i18n/en';
import { es } from '../src/i18n/es';
import { fill, type Plural } from '../src/i18n/format';
import { fr } from '../src/i18n/fr';

type Texts = Record<string, string | Plural>;
const source: Texts = en;
const forms = (entry: string | Plural): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe.each([['de', de as Texts], ['fr', fr as Texts], ['es', es as Texts]])('%s', (_name, texts) => {
  it('has the same texts as English', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(source).sort());
  });

  it.each(Object.keys(source))('%s has the holes of the English text', (key) => {
    const wanted = holes(forms(source[key] as string | Plural).at(-1) as string);
    for (const text of forms(texts[key] as string | Plural)) {
      expect(text.trim()).not.toBe('');
      expect(holes(text)).toEqual(wanted);
    }
  });

  it('is a translation', () => {
    const same = Object.keys(source).filter((key) => JSON.stringify(texts[key]) === JSON.stringify(source[key]));
    expect(same.length).toBeLessThan(Object.keys(source).length / 8);
  });
});

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
