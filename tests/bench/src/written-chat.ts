import { seeded } from './seeded.ts'

/** Recent messages are indexed with a delay, so these are older. */
const ageMs = 24 * 3_600_000
const syllables = [
  'an',
  'bel',
  'cor',
  'dis',
  'est',
  'fal',
  'gen',
  'hum',
  'ist',
  'kel',
  'lor',
  'men',
  'nov',
  'or',
  'pra',
]
const endings = ['a', 'del', 'er', 'ing', 'lit', 'o', 'que', 'rum', 'st', 'ty', 'um', 'ven', 'wy', 'x', 'zo']
/** Earlier words are more frequent, as in natural language. */
const words = syllables.flatMap((first) => endings.flatMap((last) => [`${first}${last}`, `${first}en${last}`]))

/** A reproducible sequence of words. `random` returns numbers in [0, 1). */
function prose(random: () => number, length: number): string {
  const word = (): string => words[Math.floor(words.length ** random()) - 1] ?? ''
  return Array.from({ length }, word).join(' ')
}

/** A chat in the export format: this many messages of some dozen words, each replying to the previous one. `nth` makes it unique. */
export function writtenChat(nth: number, messages: number, lastWords = ''): object {
  const random = seeded(nth + 1)
  const at = new Date(Date.now() - ageMs).toISOString()
  const idOf = (place: number): string => `${nth}-${place}`
  const said = Array.from({ length: messages }, (_none, place) => ({
    id: idOf(place),
    parentId: place === 0 ? null : idOf(place - 1),
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: `${prose(random, 12 + Math.floor(random() * 24))}${place === messages - 1 ? lastWords : ''}`,
  }))
  const chat = { id: `written-${nth}`, title: prose(random, 4), model: 'v3', createdAt: at, updatedAt: at }
  return { format: 'parley-chat', version: 1, chat: { ...chat, shown: idOf(messages - 1) }, messages: said }
}
