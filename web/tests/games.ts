/** Games as the server told them: one that is kept here, and those of the file that FLIP7_GAMES names. */

import { readFileSync } from 'node:fs';
import type { Replay } from '../src/lib/messages';

const paths = [new URL('./games.json', import.meta.url).pathname, process.env['FLIP7_GAMES']];

export const games: Replay[] = paths.flatMap((path) => (path ? (JSON.parse(readFileSync(path, 'utf8')) as Replay[]) : []));
