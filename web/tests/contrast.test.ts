/** Every pair of colours that is read has the contrast it needs: AAA for scores and buttons, AA for the rest. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const AA = 4.5;
const AAA = 7;
const css = readFileSync(new URL('../src/app.css', import.meta.url), 'utf8');

type Tokens = Map<string, number>;

/** The luminance of a colour that is written in OKLCH, cut to what screens can show. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (part: number): number => Math.min(1, Math.max(0, part));
  const red = cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The luminance of every token that these rules set. */
function tokens(...selectors: string[]): Tokens {
  const found: Tokens = new Map();
  for (const [, selector = '', body = ''] of css.matchAll(/^([^{}@]+)\{([^{}]*)\}/gm)) {
    if (!selectors.includes(selector.replace(/\/\*.*?\*\//gs, '').trim())) continue;
    for (const [, name = '', l, c, h] of body.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)) {
      found.set(name, luminance(Number(l), Number(c), Number(h)));
    }
  }
  return found;
}

const SHARED = ':root';
const themes = {
  light: tokens(SHARED, ":root,\n:root[data-theme='light']"),
  dark: tokens(SHARED, ":root[data-theme='dark']"),
};

const read: [text: string, ground: string, least: number][] = [
  ...['ground', 'sheet', 'sunken'].flatMap((ground): [string, string, number][] => [
    ['ink', ground, AAA],
    ['soft', ground, AA],
    ['link', ground, AA],
    ['calm', ground, AA],
    ['frost', ground, AA],
  ]),
  ['danger', 'ground', AAA],
  ['danger', 'sheet', AAA],
  ['danger', 'sunken', AA],
  ['on-accent', 'accent', AAA],
  ['on-accent', 'accent-deep', AAA],
  ['card-ink', 'card-paper', AAA],
  ['card-ink', 'flip3', AAA],
  ...Array.from({ length: 13 }, (_, n): [string, string, number] => [`n${n}`, 'card-paper', AA]),
  ...Array.from({ length: 12 }, (_, n): [string, string, number] => ['card-ink', `p${n}`, AAA]),
  ...['modifier', 'freeze', 'flip3', 'second'].map((rim): [string, string, number] => [rim, 'card-dark', AA]),
];

describe.each(Object.entries(themes))('by the %s theme', (_theme, colours) => {
  it.each(read)('%s on %s is told apart by at least %d', (text, ground, least) => {
    const [one, other] = [colours.get(text), colours.get(ground)];
    if (one === undefined || other === undefined) throw new Error(`${text} or ${ground} is no colour of the theme`);
    const [low = 0, high = 0] = [one, other].sort((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(least);
  });
});
