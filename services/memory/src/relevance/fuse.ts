/** Below it two texts have nothing to do with each other, whatever the model. */
export const leastSimilarity = 0.3
/** Models differ in how alike they take any two texts to be: what is far behind the best is not meant, either. */
const leastOfBest = 0.75
/** How much less each further place counts. Usual for this kind of merge. */
const placeOffset = 60

/**
 * The memories that mean nearly the same as a message, the most alike first.
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
 * Merges lists by reciprocal rank fusion: each gives its members 1 / (60 + place), and the sum decides. So scores of different kinds need no common
 * measure, and what is in both lists comes before what is in one.
 * @returns each member once, the best first; of equal ones that which an earlier list names first
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
