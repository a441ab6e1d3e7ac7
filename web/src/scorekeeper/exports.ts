/** A match for other programs: a spreadsheet, a file. */

import { nameOf, type Entry, type Match } from './match';

/** A text that no spreadsheet takes for a formula, quoted where it has to be. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const described = (entry: Entry): string => (entry === 'bust' ? 'bust' : typeof entry === 'number' ? 'points' : entry.join(' ') || 'no cards');

/** One line for each player and round, as `flip7.scorekeeper.export.to_csv` writes it. */
export function toCsv(match: Match): string {
  const rows: (string | number)[][] = [['round', 'dealer', 'player', 'entry', 'points', 'total', 'playoff', 'date', 'target']];
  match.sheet.rounds.forEach((round, i) => {
    for (const { id, name } of match.sheet.players) {
      const entry = round.entries.get(id);
      if (entry === undefined) continue;
      rows.push([i + 1, nameOf(match.sheet, round.dealer), name, described(entry), round.scores.get(id) ?? 0, round.totals.get(id) ?? 0, round.playoff ? 'yes' : 'no', match.start.date ?? '', match.sheet.target]);
    }
  });
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

/** What the files of a match are called. */
export function fileName(match: Match, ending: string): string {
  const date = match.start.date ?? 'match';
  return `flip7-${date}-${match.id.slice(0, 6)}.${ending}`;
}
