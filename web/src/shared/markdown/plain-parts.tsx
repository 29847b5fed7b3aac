import { partsOf } from '@parley/markdown'
import { memo } from 'react'
import { classNames } from '../ui/class-names.ts'

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
