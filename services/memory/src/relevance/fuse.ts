/** Below this cosine two texts are unrelated, with any model. */
export const leastSimilarity = 0.3
/** Models differ in their baseline similarity of any two texts, so matches far behind the best are dropped, too. */
const leastOfBest = 0.75
/** The usual constant k of reciprocal rank fusion. */
const placeOffset = 60

/**
 * The memories similar to a message in meaning, most similar first.
 * @param similarities cosines by id
 */
export function alikeOnes(similarities: ReadonlyMap<string, number>, most: number): readonly string[] {
  const best = Math.max(0, ...similarities.values())
  const least = Math.max(leastSimilarity, best * leastOfBest)
  return [...similarities]
    .filter(([, similarity]) => similarity >= least)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([id]) => id)
}

/**
 * Merges lists by reciprocal rank fusion: each list scores its members 1 / (60 + rank), and scores are summed. Different kinds of scores need no
 * common scale, and members of both lists rank before members of one.
 * @returns each member once, best first; ties keep the order of the earlier list
 */
export function fuse<Member>(...lists: readonly (readonly Member[])[]): readonly Member[] {
  const scores = new Map<Member, number>()
  for (const list of lists) {
    for (const [place, member] of list.entries()) {
      scores.set(member, (scores.get(member) ?? 0) + 1 / (placeOffset + place + 1))
    }
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([member]) => member)
}
