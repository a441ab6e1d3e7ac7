// Plays scripted games with the translated rules. Reads the games from standard input and writes what came of each game.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { folder, layout, games, decks } = JSON.parse(readFileSync(0, 'utf8'));
const { new_table } = await import(`${folder}/rules/table.mjs`);
const { begin_round, give, hit, reveal, stay } = await import(`${folder}/rules/inputs.mjs`);
const { ways } = await import(`${folder}/rules/keeping.mjs`);
const INPUTS = { begin: begin_round, hit, stay, give, reveal };

/** Everything that a table shows, and the events of its last input, as a short fingerprint. */
function print(table) {
  const fields = layout.map((name) => table[name]);
  return createHash('sha1').update(JSON.stringify([fields, table.log])).digest('hex').slice(0, 12);
}

const played = games.map(({ seats, target, dealer, first, reshuffle, deck, inputs }) => {
  const table = new_table(seats, target, dealer, first, reshuffle, deck);
  const prints = [];
  const events = [];
  for (const [kind, value] of inputs) {
    INPUTS[kind](table, value);
    const twin = table.copy();
    twin.log = table.log;
    prints.push(print(twin));
    events.push(...table.log);
    table.log.length = 0;
  }
  return { prints, events, table: Object.fromEntries(layout.map((name) => [name, table[name]])) };
});

process.stdout.write(JSON.stringify({ played, ways: decks.map(ways) }));
