/** A quick check for a possible formula, loaded where the reader of formulas is not. */
export const mayHaveMath = (text: string): boolean => /\$|\\[([]/.test(text)
