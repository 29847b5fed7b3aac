/** A piece of speech, short enough for every browser, with its language. */
export interface SpeechPart {
  readonly text: string
  /** BCP 47 tag. */
  readonly language: string
}

/** Maximum UTF-16 units of an utterance; some browsers stop in longer ones. */
const maxPart = 220

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Thai}/gu, 'th'],
]
const words: readonly (readonly [RegExp, string])[] = [
  [/\b(?:the|and|with|that|this|are|you)\b/giu, 'en'],
  [/(?<!\p{L})(?:der|die|und|nicht|ist|mit|für|ein)(?!\p{L})/giu, 'de'],
  [/(?<!\p{L})(?:les|des|est|une|pour|dans|vous|avec)(?!\p{L})/giu, 'fr'],
  [/(?<!\p{L})(?:los|las|una|para|con|por|está|usted)(?!\p{L})/giu, 'es'],
]

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Detects a text's language by script and most frequent words; `fallback` if undecided. */
export function languageOf(text: string, fallback: string): string {
  const sample = text.slice(0, 2_000)
  const letters = countOf(sample, /\p{L}/gu)
  // Japanese contains many Chinese characters, but Chinese text has no kana.
  const script = scripts.find(([pattern]) => countOf(sample, pattern) > letters / 10)
  if (script) return script[1]
  const [best] = words
    .map(([pattern, language]) => ({ language, count: countOf(sample, pattern) }))
    .toSorted((one, other) => other.count - one.count)
  return best && best.count >= 2 ? best.language : fallback
}

/** Splits a Markdown text into sentences to be read aloud, without markup, URLs and code. */
export function speechParts(markdown: string, fallback: string): SpeechPart[] {
  const text = markdown
    .replace(/^(`{3,}|~{3,})[\s\S]*?(?:^\1|$(?![\s\S]))/gm, ' ')
    .replace(/\$\$[\s\S]*?\$\$/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/^\s*\|?[-:| ]{3,}\|?\s*$/gm, ' ')
    .replace(/^\s*(?:#{1,6}|>|[-+*]|\d+[.)])\s+/gm, '')
    .replace(/[*_`~|#]+/g, ' ')
    .replace(/\[\d{1,3}\]/g, '')
  const language = languageOf(text, fallback)
  return sentencesOf(text, language).map((sentence) => ({ text: sentence, language }))
}

function sentencesOf(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  return text
    .split(/\n+/)
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.replace(/\s+/g, ' ').trim()))
    .flatMap(shortened)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function shortened(sentence: string): string[] {
  if (sentence.length <= maxPart) return [sentence]
  const space = sentence.lastIndexOf(' ', maxPart)
  const end = space > 0 ? space : maxPart
  return [sentence.slice(0, end), ...shortened(sentence.slice(end).trim())]
}
