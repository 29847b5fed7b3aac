import { setImmediate } from 'node:timers/promises'
import { slicesOf } from './text-slices.ts'

/** Of more UTF-16 units than this a sample is counted, because counting takes time of all callers. */
const countedLength = 100_000
/** UTF-16 units that are counted at once: at most some 50 ms, of the scripts that take longest. */
const batchLength = 2_048
/** Words whose tokens the encoder remembers. Its own default of 100,000 would take a GB, if all were as long as a slice. */
const rememberedWords = 5_000

/** Tokens of texts together in the encoding of OpenAI's older models, which is close enough for any model. */
export async function countTokens(texts: readonly string[]): Promise<number> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length === 0) return 0
  // Loaded lazily, when a provider gives no figures: it takes 50 MB.
  const { countTokens: count, setMergeCacheSize } = await import('gpt-tokenizer/encoding/cl100k_base')
  setMergeCacheSize(rememberedWords)
  let [tokens, counted, inBatch] = [0, 0, 0]
  for (const slice of slicesOf(texts, countedLength)) {
    if (inBatch >= batchLength) {
      // A turn for other callers.
      await setImmediate()
      inBatch = 0
    }
    // Text that looks like a control token is counted as text.
    tokens += count(copyOf(slice), { disallowedSpecial: new Set() })
    counted += slice.length
    inBatch += slice.length
  }
  return Math.ceil((tokens * length) / counted)
}

/** A slice would keep its whole text in memory for as long as the encoder remembers a word of it. */
const copyOf = (slice: string): string => Buffer.from(slice).toString()
