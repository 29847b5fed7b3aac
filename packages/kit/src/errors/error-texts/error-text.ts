import { createTranslator } from '../create-translator.ts'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** What an error says in a language; in English where that language has no text for it, as for what only programs are told. */
export const errorText = createTranslator({ ar, de, es, fr, ja, zh })
