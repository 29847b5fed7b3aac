/** Beyond this many UTF-16 units the rest is taken to be like the beginning: counting holds up everybody else. */
const countedLength = 50_000

/** Tokens of a text by the encoding of OpenAI's older models, which is near enough for an estimate of any model. */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0
  // Loaded when a provider gives no figures: 50 MB that most processes never need.
  const { countTokens: count } = await import('gpt-tokenizer/encoding/cl100k_base')
  const beginning = text.slice(0, countedLength)
  // Text that looks like a control token is text here.
  const tokens = count(beginning, { disallowedSpecial: new Set() })
  return Math.ceil((tokens * text.length) / beginning.length)
}
