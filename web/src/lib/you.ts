/** Who sits down: the name and colour that this device remembers. */

import { t } from '../i18n/i18n.svelte';
import type { Player } from './messages';
import { settings } from './settings.svelte';

/** The player of this device; whoever has given no name is a guest. */
export function you(): Player {
  return { name: settings.name.trim() || t('you.guest'), colour: settings.colour };
}
