import { memo } from 'react'
import { classNames } from '../ui/class-names.ts'

/** UTF-16 units per element: the browser re-lays out a growing text element by element. */
const partLength = 4_000

/** A text as it was written, of any length. */
export function PlainParts({ text, className }: { text: string; className?: string }) {
  return (
    <div dir="auto" className={classNames('whitespace-pre-wrap wrap-anywhere', className)}>
      {partsOf(text).map((part, index) => (
        <Part key={partKey(index)} text={part} />
      ))}
    </div>
  )
}

const Part = memo(function Part({ text }: { text: string }) {
  return <div>{text}</div>
})

// A part's identity is its position, and only the last one changes.
const partKey = (index: number) => index

/** Splits a text into parts, at line ends where possible. */
export function partsOf(text: string): string[] {
  if (text.length <= partLength) return [text]
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.lastIndexOf('\n', at + partLength)
    const broken = lineEnd > at ? lineEnd : at + partLength
    parts.push(text.slice(at, broken))
    at = lineEnd > at ? lineEnd + 1 : broken
  }
  return parts
}
