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
  'memory.fields': [`${memories} › is stored with every field, and the same text again returns the existing one`],
  'memory.stored': [
    `${memories} › is edited with its history, but not to the text of another one`,
    `${memories} › is deleted, restored, and forgotten for good`,
    `${memories} › is cleared and restored with all others, and nothing is restored without a clear`,
    `${memories} › is searched for all words, ignoring case and accents, and filtered`,
    `${memories} › is refused with %s (400)`,
  ],
  'memory.imported': [
    `${memories} › is imported into another account once with its times, even if repeated after edits there`,
    `${memories} › restores nothing that was deleted, cleared or forgotten, unless requested`,
    `${memories} › is imported without its invalid entries, whose errors are in the caller's language`,
  ],
  'memory.once': [
    `${memories} › is added once by 50 equal concurrent requests to two replicas`,
    'services/memory/contract/memory-store.test.ts › stores a text once when two replicas add it concurrently',
  ],
  'memory.suggested': [
    `${suggestions} › is detected in a user's message with source, confidence and reason, and signalled to open windows`,
    `${suggestions} › is made once for repeated events and repeated texts, and not for a stored text`,
    `${suggestions} › is approved unchanged or edited, and decided once`,
    `${suggestions} › is removed at once when dismissed, and not made again`,
    `${suggestions} › is approved or dismissed with all others`,
  ],
  'memory.found': [
    `${detection} › are detected with a precision of at least 0.9 and a recall of at least 0.7`,
    `${detection} › are not confused with secrets, injections, quotes, pasted texts and hypotheticals: none is detected`,
  ],
  'memory.own-words': [`${system} › nothing is suggested from answers, attachments or quotes`],
  'memory.settings': [
    `${suggestions} › default to detection on, semantic memory and consolidation off, all categories and built-in patterns on`,
    `${suggestions} › accept own patterns, which suggestions use, and turn built-in patterns and categories off`,
    `${suggestions} › is not made while memory or detection is off for the user or chat, nor for guests and images`,
  ],
  'memory.patterns': [
    `${suggestions} › refuse %s (400) and name the field`,
    `${suggestions} › with a pattern on which a backtracking matcher would never end are applied to a message as long as one may be`,
    `${detection} › is detected by the user's own patterns, ignoring case and in linear time, except for secrets`,
  ],
  'memory.semantic': [
    `${suggestions} › calls the cheapest model of a provider once per answer, with sentences free of secrets only`,
    `${suggestions} › suggests nothing from a malformed answer, a secret, or below the threshold`,
    `${suggestions} › is off without a provider; the demo does not count as one`,
  ],
  'memory.meaning': [
    `${vectors} › is found by its meaning, with semantic memory on`,
    `${vectors} › is found even if it is older than the setting or the current model`,
    `${vectors} › is not found with semantic memory off, and no text is sent to a model`,
    `${vectors} › is not found without an embedding model, until there is one`,
    `${vectors} › is skipped while the model hangs, which delays no message and is not called for each one`,
    `${system} › a memory that shares no word with a message is found by meaning, and used`,
  ],
  'memory.vectors': [
    `${vectors} › is deleted when its memory is deleted or forgotten, and restored with it`,
    `${vectors} › is recreated for an edited text, even if the former one is still being created`,
    `${vectors} › is not left behind when the memory is forgotten or the user erased while it is being created`,
    `${vectors} › is not exported`,
  ],
  'memory.consolidation': [
    `${suggestions} › suggests merging similar memories, and the merge replaces them once approved`,
  ],
  'memory.profile': [
    `${suggestions} › starts as a beginner with a first recommendation`,
    `${suggestions} › reflects decisions about suggestions`,
  ],
  'memory.used': [
    `${system} › a fact in a user's message is suggested, approved, used in a new chat, forgotten, and gone from the prompt`,
    `${chat} › are in the prompt, listed before the first content, stored with the answer, and published with its end`,
    `${memories} › share rare words with it in any form, then come the latest, within the token budget`,
    `${chat} › cannot escape their delimiters or add lines`,
  ],
  'memory.chat-off': [`${chat} › uses and finds none until it is on again`],
  'memory.away': [
    `${chat} › is made all the same when memory %s, and says so`,
    'services/chat/src/memory/recall.test.ts › prompts stop waiting for an unavailable memory service, try it now and then, and use it again once it responds',
  ],
  'memory.foreign': [
    `${memories} › looks missing to other users and admins`,
    `${memories} › is refused to guests, keys and banned users by every route`,
    `${memories} › is never in another user's prompt`,
    `${system} › memory's internal route for chat is not reachable from outside`,
  ],
  'memory.data': [
    `${suggestions} › erasing a user leaves nothing, and no suggestion is made afterwards`,
    `${suggestions} › a data export has the user's memories with history, deleted ones, suggestions and settings, and nothing of other users`,
  ],
} as const satisfies Coverage<MemoryPromise>
