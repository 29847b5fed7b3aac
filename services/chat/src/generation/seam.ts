/** How long a repetition of the answer's last words must be, in UTF-16 units and in letters or digits: a shorter one may be intended. */
const least = { length: 12, words: 6 }
/** A repeat is not longer than this; a beginning is waited for no longer. UTF-16 units. */
const most = 600

/** Joins the text of a continuation to that of the answer before it: the beginning is held back for as long as it may repeat the end of the answer. */
export function createSeam(before: string) {
  let start: string | undefined = ''
  const decide = (): string => {
    const joined = joinedTo(before, start ?? '')
    start = undefined
    return joined
  }
  return {
    /** The part of the text so far that is known to be new. */
    take(text: string): string {
      if (start === undefined) return text
      start += text
      return start.length < most && mayRepeat(before, start) ? '' : decide()
    },
    /** The text that was held back until the end. */
    rest: (): string => (start === undefined ? '' : decide()),
  }
}

/**
 * The text that goes behind `before`: without a code fence that is opened again in the middle of the code, without a repeat of the last words, and with a
 * space behind a sentence that ended without one. Whatever may be meant stays.
 */
export function joinedTo(before: string, start: string): string {
  const fence = openFence(before)
  const code = fence === undefined ? start : start.replace(reopened(fence), '')
  const rest = code.slice(repeatOf(before, code))
  if (rest.length < code.length) return rest
  if (fence === undefined && /[.!?…]$/.test(before) && /^\p{Lu}/u.test(rest)) return ` ${rest}`
  return rest
}

/** True while more text may turn out to be a repeat, or to open a fence again. */
function mayRepeat(before: string, start: string): boolean {
  const fence = openFence(before)
  if (fence !== undefined && /^\s*(?:`{0,3}|~{0,3})$|^\s*(?:`{3,}|~{3,})[^\n]*$/.test(start)) return true
  const code = fence === undefined ? start : start.replace(reopened(fence), '')
  const end = before.slice(-most)
  // Only an end of the text that goes beyond what has come can be repeated further.
  for (let at = end.indexOf(code); at !== -1; at = end.indexOf(code, at + 1)) {
    if (at + code.length < end.length) return true
  }
  return false
}

/** The length of the longest end of `before` that `start` begins with, where that is long enough to be a repeat; else 0. */
function repeatOf(before: string, start: string): number {
  for (let length = Math.min(before.length, start.length, most); length >= least.length; length -= 1) {
    const repeated = start.slice(0, length)
    if (before.endsWith(repeated)) return (repeated.match(/[\p{L}\p{N}]/gu) ?? []).length >= least.words ? length : 0
  }
  return 0
}

/** The marks of the code fence that is open at the end of a Markdown text; undefined when none is. */
function openFence(text: string): string | undefined {
  let open: string | undefined
  for (const [, marks = '', info = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (open === undefined) open = marks
    else if (marks.startsWith(open) && info.trim() === '') open = undefined
  }
  return open
}

/** A line that opens a fence of this kind, named or at least as the first of the text: a bare one closes the code. */
const reopened = (fence: string): RegExp => new RegExp(`^\\s*${fence[0]}{3,}[ \\t]*[^\\s${fence[0]}][^\\n]*\\n`)
