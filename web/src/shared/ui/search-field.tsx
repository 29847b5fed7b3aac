import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'

/** Milliseconds without typing before the search runs. */
const typingPauseMs = 250

interface Props {
  readonly label: string
  readonly value: string
  /** Called with the trimmed text. */
  readonly onSearch: (text: string) => void
  /** In UTF-16 units. */
  readonly maxLength?: number
  /** Its width. */
  readonly className?: string
}

/** A search field that searches when typing pauses, or immediately on Enter. */
export function SearchField(props: Props) {
  const { label, value, onSearch, maxLength, className = 'min-w-40 flex-1 md:max-w-80' } = props
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<number | undefined>(undefined)
  // Another filter may change before typing pauses.
  const latest = useRef(onSearch)
  latest.current = onSearch
  useEffect(() => {
    // The search may be changed from outside; the one sent by this field is already there.
    if (value !== sent.current) {
      window.clearTimeout(timer.current)
      setText(value)
    }
    sent.current = value
  }, [value])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const send = (typed: string) => {
    window.clearTimeout(timer.current)
    sent.current = typed.trim()
    latest.current(sent.current)
  }
  return (
    <search className={classNames('flex', className)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(text)
        }}
        className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-card border border-field-line px-3 focus-within:border-brand focus-within:ring-3 focus-within:ring-brand-weak pointer-coarse:h-11"
      >
        <Search className="size-4 shrink-0 text-ink-3" />
        <input
          type="search"
          dir="auto"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={maxLength}
          onChange={({ target }) => {
            setText(target.value)
            window.clearTimeout(timer.current)
            timer.current = window.setTimeout(() => send(target.value), typingPauseMs)
          }}
          className="min-w-0 flex-1 bg-transparent text-ellipsis outline-none placeholder:text-ink-3 max-md:text-[1rem]"
        />
      </form>
    </search>
  )
}
