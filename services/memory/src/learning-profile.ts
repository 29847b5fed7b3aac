import type { Locale, MemoryProfile } from '@parley/contracts'
import { wholeWords } from './relevance/words.ts'
import type { Account } from './store/documents.ts'
import { memoryText } from './texts/memory-text.ts'

/** The number of decisions from which a level is reached. */
const levels = [
  { from: 200, level: 'expert' },
  { from: 50, level: 'advanced' },
  { from: 10, level: 'intermediate' },
  { from: 0, level: 'beginner' },
] as const
/** The minimum of decisions for a recommendation. */
const fewestDecisions = 10
const fewestOfCategory = 5
const manyPending = 5
const manyStored = 50
const mostKeywords = 10
/** UTF-16 units that are searched for keywords: those of full accounts with usual texts. Segmenting more would block other requests. */
const mostSegmented = 200_000

/** The learning profile of an account. @param texts of the stored memories, latest first @param textOf by id, of memories that still exist */
export function profileOf(
  account: Account,
  texts: readonly string[],
  textOf: (id: string) => string | undefined,
  locale: Locale = 'en',
): MemoryProfile {
  const { seen, approved, rejected } = account
  const decided = approved + rejected
  return {
    accuracy: share(approved, decided),
    learningLevel: levels.find(({ from }) => decided >= from)?.level ?? 'beginner',
    suggestions: { seen, approved, rejected },
    approvalRate: share(approved, seen),
    topKeywords: keywordsOf(texts),
    recentActivity: account.activity.flatMap(({ at, action, id, count }) => {
      const text = id === null ? String(count) : textOf(id)
      return text === undefined ? [] : [{ at, action, text }]
    }),
    recommendations: recommend(account).map(({ id, text }) => ({ id, text: memoryText(text, locale) })),
  }
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.min(1, part / whole))

function keywordsOf(texts: readonly string[]): MemoryProfile['topKeywords'] {
  const counts = new Map<string, number>()
  let units = 0
  for (const text of texts) {
    units += text.length
    if (units > mostSegmented) break
    for (const word of new Set(wholeWords(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .sort(([one, often], [other, oftener]) => oftener - often || (one < other ? -1 : 1))
    .slice(0, mostKeywords)
    .map(([word, count]) => ({ word, count }))
}

/** One rule per recommendation, the most urgent first. */
function recommend(account: Account): MemoryProfile['recommendations'] {
  const { settings, approved, rejected, decided } = account
  const all = approved + rejected
  const accuracy = share(approved, all)
  const stored = Object.keys(account.stored).length
  const pending = Object.keys(account.pending).length
  const refused = Object.entries(decided).filter(
    ([category, count]) =>
      count.approved === 0 &&
      count.rejected >= fewestOfCategory &&
      !settings.categoriesOff.some((off) => off === category),
  )
  const rules: readonly (readonly [applies: boolean, id: string, text: string])[] = [
    [!settings.enabled, 'enable-memory', 'Turn memory on so that answers can build on what you said before.'],
    [
      settings.enabled && !settings.autoDetection,
      'enable-detection',
      'Turn automatic detection on to have memories suggested.',
    ],
    [pending >= manyPending, 'review-suggestions', `Review the ${pending} suggestions that wait for you.`],
    [
      all >= fewestDecisions && accuracy < 0.5 && settings.confidenceThreshold !== 'high',
      'raise-threshold',
      'You dismiss most suggestions: raise the confidence threshold to get fewer.',
    ],
    [
      all >= fewestDecisions && accuracy >= 0.9 && settings.confidenceThreshold !== 'low',
      'lower-threshold',
      'You approve nearly all suggestions: lower the confidence threshold to get more.',
    ],
    ...refused.map(
      ([category, { rejected: times }]) =>
        [
          true,
          `turn-off-${category}`,
          `You dismissed all ${times} suggestions about “${category}”: turn the category off.`,
        ] as const,
    ),
    [
      stored >= manyStored && !settings.autoConsolidation,
      'enable-consolidation',
      `You have ${stored} memories: turn consolidation on to have similar ones merged.`,
    ],
    [
      settings.enabled && stored === 0 && pending === 0,
      'first-memory',
      'Add your first memory, or tell the chat something about yourself.',
    ],
  ]
  return rules.flatMap(([applies, id, text]) => (applies ? [{ id, text }] : []))
}
