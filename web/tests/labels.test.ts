/** Names beside a graph can be read, on a phone and on a big screen. */

import { describe, expect, it } from 'vitest';
import { apart, dashOf, fontOf, shortened, widthOf } from '../src/lib/labels';

describe('labels', () => {
  it('grow with the graph', () => {
    expect([fontOf(300), fontOf(640), fontOf(1100)]).toEqual([13, 13, 20]);
  });

  it('are shortened only where there is no room', () => {
    expect(shortened('Level-headed Ned', 200, 13)).toBe('Level-headed Ned');
    const short = shortened('Level-headed Ned', 80, 13);
    expect(short).toMatch(/^Level.*…ed$/);
    expect(widthOf(short, 13)).toBeLessThanOrEqual(80);
  });

  it('have lines that differ without colour', () => {
    expect(new Set([0, 1, 2, 3].map((seat) => dashOf(seat, 4))).size).toBe(4);
    expect(new Set([0, 12, 24].map((seat) => dashOf(seat, 36))).size).toBe(3);
  });

  it('lie apart, and above the floor', () => {
    const ys = apart([{ y: 100 }, { y: 10 }, { y: 100 }, { y: 99 }], 15, 100).map((label) => label.y);
    expect(ys).toEqual([10, 70, 85, 100]);
  });
});
