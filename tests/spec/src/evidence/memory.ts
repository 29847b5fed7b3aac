import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

type MemoryPromise = Exclude<Extract<RequirementId, `memory.${string}`>, 'memory.in-chat' | 'memory.commands'>

const memories = 'services/memory/test/memories.test.ts'
const suggestions = 'services/memory/test/suggestions.test.ts'
const detection = 'services/memory/src/detection/detect.test.ts'
const system = 'services/all-in-one/test/memory.test.ts'
const chat = 'services/chat/test/memory.test.ts'
const vectors = 'services/memory/test/vectors.test.ts'

/** Tests of memories and suggestions. */
export const memory = {
  'memory.fields': [`${memories} › is kept with every field, and the same text again is the one there is`],
  'memory.stored': [
    `${memories} › is edited with its history, but not into the text of another one`,
    `${memories} › is deleted, restored, and forgotten for good`,
    `${memories} › goes with all others and comes back with them, and nothing is restored without a clear`,
    `${memories} › is searched for all words without case and accents, and filtered`,
  ],
  'memory.imported': [
    `${memories} › comes into another account with its times once, however often and whatever becomes of it there`,
    `${memories} › brings back nothing that was deleted, cleared or forgotten, unless that is asked for`,
    `${memories} › has its faulty entries named in the language of the caller, and the others imported`,
  ],
  'memory.once': [
    `${memories} › is added once by 50 equal requests at once at two replicas`,
    'services/memory/contract/memory-store.test.ts › keeps a text once, whoever adds it at once at two replicas',
  ],
  'memory.suggested': [
    `${suggestions} › is found in what a user wrote, with its source, confidence and reason, and told to open windows`,
    `${suggestions} › is made once, however often the answer is told or the text is said, and not of what is remembered`,
    `${suggestions} › is approved, as it is or changed, and decided once`,
    `${suggestions} › is dismissed, gone at once, and not made again`,
    `${suggestions} › is approved or dismissed with all others`,
  ],
  'memory.found': [
    `${detection} › are found by the patterns with a precision of at least 0.9 and a recall of at least 0.7`,
    `${detection} › have nothing in common with secrets, injections, quotes, pasted texts and suppositions, of which none is found`,
  ],
  'memory.own-words': [`${system} › nothing is suggested of what an answer, an attachment or a quote says`],
  'memory.settings': [
    `${suggestions} › begin with detection on, a model and merges off, every category and built-in pattern on`,
    `${suggestions} › take own patterns, by which suggestions are found, and turn built-in ones and categories off`,
    `${suggestions} › is found nowhere while memory or detection is off, for the user or the chat, nor for guests and images`,
  ],
  'memory.patterns': [`${suggestions} › refuse %s (400) and name the field`],
  'memory.semantic': [
    `${suggestions} › asks the cheapest model of a provider once for each answer, of the sentences without secrets alone`,
    `${suggestions} › suggests nothing of an answer in another form, of a secret, or below the threshold`,
    `${suggestions} › is off without a provider, whose demonstration is none`,
  ],
  'memory.meaning': [
    `${vectors} › is found by its meaning, with semantic memory on`,
    `${vectors} › is found though it is older than the setting, or than another model`,
    `${vectors} › is not found with semantic memory off, and no text leaves for a model`,
    `${vectors} › is not found without a model for embeddings, until there is one`,
    `${vectors} › is left out while the model hangs, which keeps nobody waiting and is not asked for each message`,
    `${system} › a memory that shares no word with a message is found by its meaning, and used`,
  ],
  'memory.vectors': [
    `${vectors} › goes when the memory is removed, for a while or for good, and comes back with it`,
    `${vectors} › is made anew of a text that is edited, also while the one before is being made`,
    `${vectors} › is not left behind by a memory that is forgotten, or a user who is erased, while it is being made`,
    `${vectors} › is in no export`,
  ],
  'memory.consolidation': [
    `${suggestions} › suggests to merge memories that say nearly the same, and the merge takes their place once approved`,
  ],
  'memory.profile': [
    `${suggestions} › is that of a beginner at first, with a first step`,
    `${suggestions} › follows from what was decided`,
  ],
  'memory.used': [
    `${system} › what a user says is suggested, approved, used in a new chat, forgotten, and gone from the prompt`,
    `${chat} › are in the prompt, named before the first content, kept with the answer, and told with its end`,
    `${memories} › is what shares rare words with it in any form, then the latest, within the tokens`,
    `${chat} › cannot close their frame or make lines of their own`,
  ],
  'memory.chat-off': [`${chat} › uses and finds none until it is on again`],
  'memory.away': [
    `${chat} › is made all the same when memory %s, and says so`,
    'services/chat/src/memory/recall.test.ts › prompts stop waiting for a memory that is away, try it once in a while, and use it again when it answers',
  ],
  'memory.foreign': [
    `${memories} › is answered like a missing one to users and admins`,
    `${memories} › is refused to guests, keys and banned users by every route`,
    `${memories} › is never in the prompt of somebody else`,
    `${system} › what memory keeps for chat is out of reach from outside`,
  ],
  'memory.data': [
    `${suggestions} › a suggestion of an erased user is not made, and nothing of the user is left`,
    `${suggestions} › a data export has memories with their history, suggestions and settings, of nobody else's`,
  ],
} as const satisfies Coverage<MemoryPromise>
