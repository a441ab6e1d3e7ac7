// Keeps matches on several devices with the translated model. Reads what they do, and writes what came of each deed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { folder, layout, matches } = JSON.parse(readFileSync(0, 'utf8'));
const entering = await import(`${folder}/scorekeeper/model/entering.mjs`);
const following = await import(`${folder}/scorekeeper/model/following.mjs`);
const opening = await import(`${folder}/scorekeeper/model/state.mjs`);
const { record_text, can_record } = await import(`${folder}/scorekeeper/model/record.mjs`);
const { new_tallies, tally_match } = await import(`${folder}/scorekeeper/model/statistics.mjs`);
const { Table } = await import(`${folder}/rules/table.mjs`);
const book = { ways: new Map() };

/** Any value as a text that is the same in both languages. */
function text(value) {
  if (value instanceof Table) return text(layout.map((name) => value[name]));
  if (value instanceof Map) return text([...value]);
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${text(value[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const print = (value) => createHash('sha1').update(text(value)).digest('hex').slice(0, 12);
const given = (value) => (value?.pairs ? new Map(value.pairs) : value);

const told = matches.map(({ start, devices, deeds }) => {
  const states = devices.map((device) => opening.open_match([start], device, device === 'file', book).state);
  const results = deeds.map(([who, deed, ...values]) => {
    const state = states[who];
    if (deed === 'merge') {
      const refusal = opening.merge(state, states[values[0]].history.ordered);
      return [refusal?.code ?? '', print(state.sheet)];
    }
    const refusal = (following[deed] ?? entering[deed])(state, ...values.map(given));
    return [refusal === null ? '' : text(refusal), print(state.sheet)];
  });
  const [first] = states;
  const tallies = new_tallies();
  for (const { sheet } of states) tally_match(tallies, sheet);
  return { results, operations: states.map((state) => print(state.history.ordered)), record: can_record(first.sheet) ? record_text(first.sheet, start.dealer, null) : '', tallies: print(tallies) };
});
process.stdout.write(JSON.stringify(told));
