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
function sharingWords(index: OwnerIndex, message: string): readonly Entry[] {
  const scores = new Map<Entry, number>()
  for (const word of wordsOf(message)) {
    const sharing = index.byWord.get(word) ?? []
    const weight = Math.log(1 + index.entries.length / Math.max(1, sharing.length))
    for (const entry of sharing) scores.set(entry, (scores.get(entry) ?? 0) + weight / Math.sqrt(entry.words.size))
  }
  const found = [...scores].map(([entry, score]) => ({ entry, score }))
  return firstOf(found, mostMatching, (one, other) => other.score - one.score || other.entry.at - one.entry.at).map(
    ({ entry }) => entry,
  )
}

/** The first members in this order; sorting all of thousands for some would take most of a look-up's time. */
function firstOf<Member>(
  members: readonly Member[],
  most: number,
  compare: (one: Member, other: Member) => number,
): readonly Member[] {
  const first: Member[] = []
  for (const member of members) {
    const last = first.at(-1)
    if (first.length === most && last !== undefined && compare(last, member) <= 0) continue
    const before = first.findIndex((each) => compare(each, member) > 0)
    first.splice(before < 0 ? first.length : before, 0, member)
    first.length = Math.min(first.length, most)
  }
  return first
}

/** Memories similar to a message in meaning. */
function alike({ entries }: OwnerIndex, similarities: RankQuery['similarities'] = new Map()): readonly Entry[] {
  const ids = alikeOnes(similarities, mostMatching)
  if (ids.length === 0) return []
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
