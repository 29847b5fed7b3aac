import type { UsedMemory } from '@parley/contracts'
import { alikeOnes, fuse } from './fuse.ts'
import type { OwnerIndex } from './memory-index.ts'
import { wordsOf } from './words.ts'

/** The limit of memories that match the message by words or meaning, and of the latest ones added to them. */
const mostMatching = 20
const mostLatest = 10

/** Characters per token in languages with spaces; scripts matched by `wide` count one token per character. */
const spacedPerToken = 4
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}]/gu
/** Estimates the tokens of a line with this text, erring on the high side. */
export function tokensOf(text: string): number {
  const wideOnes = text.match(wide)?.length ?? 0
  return 2 + wideOnes + Math.ceil((text.length - wideOnes) / spacedPerToken)
}

/** The query of a ranking. */
export interface RankQuery {
  readonly message: string
  /** Cosines by id of memories with a vector; without them words alone decide. */
  readonly similarities?: ReadonlyMap<string, number>
  /** The token budget of all texts together. */
  readonly maxTokens: number
}

type Entry = OwnerIndex['entries'][number]

/**
 * The memories relevant to a message: those that match it by words or meaning, then the latest, which are likely to matter still. The cost grows with
 * the number of matches and comparisons, not with the number of memories.
 */
export function rank(index: OwnerIndex, { message, similarities, maxTokens }: RankQuery): readonly UsedMemory[] {
  const matching = fuse(sharingWords(index, message), alike(index, similarities)).slice(0, mostMatching)
  // Of so many of the latest, enough do not match.
  const latest = index.entries
    .slice(0, mostMatching + mostLatest)
    .filter((entry) => !matching.includes(entry))
    .slice(0, mostLatest)
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

/** Memories that share words with a message: rare words score higher, long memories lower; the latest first among equals. */
function sharingWords({ entries, byWord }: OwnerIndex, message: string): readonly Entry[] {
  // By place: most memories may share a common word, and a map of them would take most of a look-up's time.
  const scores = new Float64Array(entries.length)
  for (const word of wordsOf(message)) {
    const sharing = byWord.get(word) ?? []
    const weight = Math.log(1 + entries.length / Math.max(1, sharing.length))
    for (const place of sharing) scores[place] = (scores[place] ?? 0) + weight * (entries[place]?.share ?? 0)
  }
  return highest(scores, mostMatching).flatMap((place) => entries[place] ?? [])
}

/** The places of the highest scores above 0, highest first, the earlier of equal ones first. */
function highest(scores: Float64Array, most: number): readonly number[] {
  const places: number[] = []
  let least = 0
  for (const [place, score] of scores.entries()) {
    if (score <= least) continue
    const before = places.findIndex((other) => (scores[other] ?? 0) < score)
    places.splice(before < 0 ? places.length : before, 0, place)
    places.length = Math.min(places.length, most)
    if (places.length === most) least = scores[places[most - 1] ?? 0] ?? 0
  }
  return places
}

/** Memories similar to a message in meaning. */
function alike({ entries }: OwnerIndex, similarities: RankQuery['similarities'] = new Map()): readonly Entry[] {
  const ids = alikeOnes(similarities, mostMatching)
  if (ids.length === 0) return []
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
