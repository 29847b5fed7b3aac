import type { UsedMemory } from '@parley/contracts'
import { alikeOnes, fuse } from './fuse.ts'
import type { OwnerIndex } from './memory-index.ts'
import { wordsOf } from './words.ts'

/** So many that share words with the message or its meaning, the best first, and so many of the latest besides. */
const mostMatching = 20
const mostLatest = 10

/** Characters of one token where words are spaced, and of one where they are not. */
const spacedPerToken = 4
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}]/gu
/** About how many tokens a line with this text costs a model, rather more than fewer. */
export function tokensOf(text: string): number {
  const wideOnes = text.match(wide)?.length ?? 0
  return 2 + wideOnes + Math.ceil((text.length - wideOnes) / spacedPerToken)
}

/** What memories are ranked for. */
export interface Asked {
  readonly message: string
  /** Cosines by id of those whose meaning could be compared; by words alone where there are none. */
  readonly similarities?: ReadonlyMap<string, number>
  /** That their texts may cost together. */
  readonly maxTokens: number
}

type Entry = OwnerIndex['entries'][number]

/**
 * What of a user's memories belongs with a message: those that share words with it or mean nearly the same, merged; then the latest, as they are likely to
 * matter still. Work grows with what shares a word and what is compared, not with what there is.
 */
export function rank(index: OwnerIndex, { message, similarities, maxTokens }: Asked): readonly UsedMemory[] {
  const matching = fuse(sharingWords(index, message), alike(index, similarities)).slice(0, mostMatching)
  const latest = index.entries.filter((entry) => !matching.includes(entry)).slice(0, mostLatest)
  const used: UsedMemory[] = []
  let room = maxTokens
  for (const { id, text } of [...matching, ...latest]) {
    const cost = tokensOf(text)
    if (cost > room) continue
    room -= cost
    used.push({ id, text })
  }
  return used
}

/** Those that share words with a message, of which rare ones count more and long memories less, the latest of equal ones first. */
function sharingWords(index: OwnerIndex, message: string): readonly Entry[] {
  const scores = new Map<Entry, number>()
  for (const word of wordsOf(message)) {
    const sharing = index.byWord.get(word) ?? []
    const weight = Math.log(1 + index.entries.length / Math.max(1, sharing.length))
    for (const entry of sharing) scores.set(entry, (scores.get(entry) ?? 0) + weight / Math.sqrt(entry.words.size))
  }
  return [...scores]
    .sort(([one, score], [other, otherScore]) => otherScore - score || other.at - one.at)
    .slice(0, mostMatching)
    .map(([entry]) => entry)
}

/** Those that mean nearly the same as a message. */
function alike({ entries }: OwnerIndex, similarities: Asked['similarities'] = new Map()): readonly Entry[] {
  const ids = alikeOnes(similarities, mostMatching)
  if (ids.length === 0) return []
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
