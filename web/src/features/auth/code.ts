/** Digits of a verification code. */
export const codeLength = 6

/** The boxes after text was typed or pasted at one of them, and the box to go to next. Everything but digits is passed over. */
export function enterDigits(boxes: readonly string[], at: number, text: string): { boxes: string[]; next: number } {
  const digits = [...text.normalize('NFKC')].filter((char) => /[0-9]/.test(char))
  const start = digits.length >= codeLength ? 0 : at
  const filled = boxes.map((box, index) => digits[index - start] ?? box)
  return { boxes: filled, next: Math.min(start + digits.length, codeLength - 1) }
}

/** The boxes after Backspace at one of them: it empties that box, or the one before when it was empty already. */
export function eraseDigit(boxes: readonly string[], at: number): { boxes: string[]; next: number } {
  const target = boxes[at] === '' ? Math.max(0, at - 1) : at
  return { boxes: boxes.map((box, index) => (index === target ? '' : box)), next: target }
}

/** True when a refusal says something of the code itself, not that the server is out of reach, busy or broken: those leave the code as good as it was. */
export const isOfCode = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429
