/** Digits of a verification code. */
export const codeLength = 6

/** The boxes after typing or pasting text into one, and the next box to focus. Non-digits are ignored. */
export function enterDigits(boxes: readonly string[], at: number, text: string): { boxes: string[]; next: number } {
  const digits = [...text.normalize('NFKC')].filter((char) => /[0-9]/.test(char))
  const start = digits.length >= codeLength ? 0 : at
  const filled = boxes.map((box, index) => digits[index - start] ?? box)
  return { boxes: filled, next: Math.min(start + digits.length, codeLength - 1) }
}

/** The boxes after Backspace in one: clears it, or the previous one if it was empty. */
export function eraseDigit(boxes: readonly string[], at: number): { boxes: string[]; next: number } {
  const target = boxes[at] === '' ? Math.max(0, at - 1) : at
  return { boxes: boxes.map((box, index) => (index === target ? '' : box)), next: target }
}

/** Whether a refusal is about the code itself, rather than an unreachable, busy or broken server, which leaves the code valid. */
export const isOfCode = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429
