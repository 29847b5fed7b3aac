/** What separates a sentence from the next one: a space, but nothing after a full-width mark, which has room of its own. */
export const gapAfter = (sentence: string): string => (/[。！？]$/.test(sentence) ? '' : ' ')
