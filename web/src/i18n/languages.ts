/** The languages that the client speaks, each by its own name. */

import { LANGUAGE_NAMES, type Language } from './keys';

export { LANGUAGE_NAMES, type Language };
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];
