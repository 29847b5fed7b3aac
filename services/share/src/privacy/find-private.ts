import type { FoundPrivate } from '@parley/contracts'

/** Possibly private data as it occurs in a text. */
export type Private = Pick<FoundPrivate, 'kind' | 'text'>

interface Pattern {
  readonly kind: Private['kind']
  /** The private data is its first group, or else the whole match. Bounded repetitions keep matching linear in the text. */
  readonly expression: RegExp
  /** Rules out false positives of the expression. */
  readonly holds?: (found: string) => boolean
}

/** In order: later patterns skip the matches of earlier ones. A key ends where another begins, so that a text of beginnings is not read once for each. */
const patterns: readonly Pattern[] = [
  {
    kind: 'secret',
    expression:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?!-----BEGIN)[\s\S]){1,3800}?-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
  },
  { kind: 'secret', expression: /\beyJ(?:(?!-eyJ)[\w-]){10,1000}\.[\w-]{10,2000}\.[\w-]{10,500}/g },
  {
    kind: 'secret',
    expression:
      /\b(?:(?:sk|pk|rk)[-_][\w-]{16,200}|gh[pousr]_\w{20,100}|github_pat_\w{20,120}|glpat-[\w-]{16,60}|xox[abprs]-[\w-]{10,120}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|hf_\w{20,60}|npm_\w{30,60})/g,
  },
  { kind: 'secret', expression: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,80}:([^\s/@]{3,200})@/gi },
  {
    kind: 'secret',
    expression:
      /\b(?:password|passwd|passphrase|passcode|pwd|secret|api[ _-]?key|access[ _-]?key|token|passwort|kennwort|contraseña|mot de passe)["']?\s{0,3}(?:[:=]|is|ist|es|est)\s{0,3}["'`]?([^\s"'`,;]{6,200})/giu,
    holds: (found) => /\d|[^\p{L}.]/u.test(found),
  },
  { kind: 'secret', expression: /(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])/g, holds: isCardNumber },
  { kind: 'secret', expression: /(?<![\w/+.=-])[A-Za-z0-9_+=-]{24,200}(?![\w/+.=-])/g, holds: looksRandom },
  {
    kind: 'email',
    expression: /[\p{L}\p{N}_%+-](?:[\p{L}\p{N}._%+-]{0,63})@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}-]{2,63}/gu,
  },
  {
    kind: 'phone',
    expression: /(?<![\w.:/-])(?:\+|\(|\d)[\d ().\-/\u00a0\u202f]{6,22}\d(?![\w:-])/g,
    holds: isPhoneNumber,
  },
]

/** E-mail addresses, phone numbers, and keys, passwords and card numbers in a text, each once. */
export function findPrivate(text: string): readonly Private[] {
  const found = new Map<string, Private>()
  let rest = text
  for (const { kind, expression, holds = () => true } of patterns) {
    rest = rest.replace(expression, (whole: string, ...groups: unknown[]) => {
      const part = typeof groups[0] === 'string' ? groups[0] : whole
      if (!holds(part)) return whole
      found.set(part, { kind, text: part })
      return whole.replace(part, '\n')
    })
  }
  return [...found.values()]
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Checks the Luhn digit and the first digit. */
function isCardNumber(text: string): boolean {
  const digits = [...digitsOf(text)].reverse().map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const counted = place % 2 === 0 ? digit : digit * 2
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum > 0 && sum % 10 === 0 && /^[2-6]/.test(digitsOf(text))
}

/** Entropy in bits per character above which a text is unlikely to be a word. */
const randomBits = 3.7

/** Whether a text mixes cases and digits with the entropy of a key, unlike an identifier. */
function looksRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  const counts = [...Map.groupBy(text, (character) => character).values()].map(({ length }) => length / text.length)
  return counts.reduce((bits, share) => bits - share * Math.log2(share), 0) >= randomBits
}

/** Tells phone numbers from dates, IP addresses, versions and plain numbers by their prefix or grouping. */
function isPhoneNumber(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length < 8 || digits.length > 15) return false
  if (/^\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|^\d{1,3}(\.\d{1,3}){3}$/.test(text))
    return false
  if (text.startsWith('+')) return true
  if (/^\(?0/.test(text)) return digits.length >= 9
  return /^\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}$/.test(text)
}
