/** Maximum UTF-16 units of a slice. */
export const sliceLength = 512

/**
 * Cuts texts into slices of at most 512 UTF-16 units, for an encoder whose time grows with the square of the length of a word. The cuts are where
 * a token ends anyway, or within a word if it is too long, but never within a character.
 * @param budget of more units than this, evenly spread slices are taken, of about this many units together
 */
export function* slicesOf(texts: readonly string[], budget: number): Generator<string> {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  const skippedPerTaken = Math.max(0, total / budget - 1)
  let toSkip = 0
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      // Less is put off, because a short skip would end within a word.
      if (toSkip >= sliceLength) {
        const next = cutBefore(text, start, start + Math.floor(toSkip))
        toSkip -= next - start
        start = next
        continue
      }
      const end = cutBefore(text, start, start + sliceLength)
      yield text.slice(start, end)
      toSkip += (end - start) * skippedPerTaken
      start = end
    }
  }
}

/** The last place for a cut after `from`, up to `to`, which is at least one slice further. */
function cutBefore(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length
  const earliest = Math.max(from, to - sliceLength)
  for (let place = to; place > earliest; place -= 1) if (endsToken(text, place)) return place
  return splitsCharacter(text, to) ? to - 1 : to
}

/** Whether a token ends at a place whatever surrounds it: a space begins the token of the next word, and a line break is the end of one. */
const endsToken = (text: string, place: number): boolean =>
  (text[place] === ' ' && !isSpace(text[place - 1])) || (text[place - 1] === '\n' && !isSpace(text[place]))

const isSpace = (unit = ''): boolean => /\s/.test(unit)

const splitsCharacter = (text: string, place: number): boolean => (text.codePointAt(place - 1) ?? 0) > 0xffff
