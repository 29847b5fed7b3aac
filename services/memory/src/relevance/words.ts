/** Texts are truncated to this length; UTF-16 units. */
const mostRead = 8_000
const mostWords = 400
/** Words are truncated to this prefix as a simple stemming: allergic, allergies. */
const stem = 6

const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}]+/gu
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u

/** The text folded for comparison: without case, accents and the Arabic article. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(^|[^\p{L}])ال(?=\p{L}{2})/gu, '$1')

/** The index terms of a text: stems, and character bigrams for scripts without spaces. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [run] of folded(text.slice(0, mostRead)).normalize('NFC').matchAll(runs)) {
    if (words.size >= mostWords) break
    if (!unspaced.test(run)) {
      if (run.length > 1 && !commonWords.has(run)) words.add(run.slice(0, stem))
      continue
    }
    const characters = [...run]
    if (characters.length === 1) words.add(run)
    for (let at = 0; at + 1 < characters.length; at += 1) words.add(`${characters[at]}${characters[at + 1]}`)
  }
  return words
}

/** Whole words, for statistics. */
export const wholeWords = (text: string): string[] =>
  [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text.slice(0, mostRead).toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike && segment.length > 1 && !commonWords.has(folded(segment)))
    .map(({ segment }) => segment)

/** Stop words, folded, in the product's languages with spaces. */
export const commonWords: ReadonlySet<string> = new Set(
  `a about all also always am an and any are as at be been but by can could did do does for from get had has have he her his how i if in into is it its
  just like me more most my never no not of on or our please she should so some than that the their them then there they this to too up us very was we were
  what when where which who why will with would you your im ive dont
  el la los las un una unos unas y o de del en con por para que se su sus mi mis me te tu yo es son soy estoy esta este como mas pero muy no si lo le al
  le les des du et ou dans avec pour par sur que qui se sa ses mon ma mes je tu il elle nous vous ne pas est suis ai ce cette mais tres au aux plus
  der die das ein eine einen einem einer und oder in im mit fur von zu zum zur auf ist bin sind war ich du er sie wir ihr mein meine meinen meiner nicht auch
  aber sehr mich mir dich dir den dem des es an am als wie was habe hat
  في من على الى عن مع هذا هذه ان انا هو هي ما لا كان لي`.split(/\s+/),
)
