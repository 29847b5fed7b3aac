import { createTranslator } from '@parley/kit'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Says reasons and recommendations in a language. They are stored as English sentences, some of which people read in a later wording. */
export const memoryText = createTranslator({ ar, de, en, es, fr, ja, zh })
