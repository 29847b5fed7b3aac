import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
// Surnames and Wikipedia's words would triple the download and rarely change the result.
import commonWords from '@zxcvbn-ts/language-en/dist/commonWords.json.mjs'
import firstNames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import type { Advice, Strength } from './strength.ts'

const estimator = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: { ...dictionary, 'commonWords-en': commonWords, 'firstnames-en': firstNames },
  // Later characters do not make a strong password weak, and a pasted kilobyte must not take seconds.
  maxLength: 64,
})

const advices: Readonly<Record<string, Advice>> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  pwned: 'common',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'personal',
}

/**
 * Estimates how hard a password is to guess with lists of passwords, words and names, and knowledge of the user.
 * @param context the user's own words: name and address
 */
export function estimateStrength(password: string, context: readonly string[]): Strength {
  const { score, feedback } = estimator.check(password, contextWords(context))
  if (score === 4) return { score, advice: null }
  return { score, advice: advices[feedback.warning ?? ''] ?? 'longer' }
}

/** An address is guessed by its parts, and the product's name is known to everybody. */
const contextWords = (context: readonly string[]): string[] => [
  'parley',
  ...context.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2),
]
