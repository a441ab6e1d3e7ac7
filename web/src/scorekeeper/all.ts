/** Every match of this device that can be read. One that cannot stays where it is, and stops no other. */

import { Match } from './match';
import { device, loadAll } from './store';

/** All matches, the latest first. */
export async function allMatches(): Promise<Match[]> {
  return (await loadAll()).flatMap((kept) => {
    try {
      return [new Match(kept.id, device(), kept.operations)];
    } catch {
      return [];
    }
  });
}
