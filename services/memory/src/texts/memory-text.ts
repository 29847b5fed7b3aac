import { createTranslator } from '@parley/kit'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Translates reasons and recommendations, which are stored in English. */
export const memoryText = createTranslator({ ar, de, es, fr, ja, zh })
