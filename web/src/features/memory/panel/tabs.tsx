import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { isModified } from '../../../shared/keyboard/index.ts'
import { classNames, useActiveInView } from '../../../shared/ui/index.ts'

interface Props<Name extends string> {
  readonly label: string
  readonly tabs: readonly { readonly name: Name; readonly text: string; readonly count?: number }[]
  readonly active: Name
  readonly onChange: (name: Name) => void
  readonly children: ReactNode
}

/** Tabs; arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, active, onChange, children }: Props<Name>) {
  const id = useId()
  const list = useActiveInView<HTMLDivElement>(active)
  const move = (event: KeyboardEvent) => {
    if (isModified(event)) return
    const at = tabs.findIndex(({ name }) => name === active)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const next = { [forward]: at + 1, [back]: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = next === undefined ? undefined : tabs[next % tabs.length]
    if (!tab) return
    event.preventDefault()
    onChange(tab.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.name}"]`)?.focus()
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="mb-4 flex gap-0.5 overflow-x-auto border-b border-line sm:gap-1"
      >
        {tabs.map(({ name, text, count = 0 }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === active}
            aria-controls={`${id}-panel`}
            tabIndex={name === active ? 0 : -1}
            onClick={() => onChange(name)}
            className={classNames(
              'target -mb-px flex h-10 items-center gap-1.5 border-b-2 px-2 whitespace-nowrap sm:px-3 outline-offset-[-2px]',
              name === active ? 'border-brand font-medium text-ink' : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {text}
            {count > 0 && (
              <span className="rounded-full bg-brand-weak px-1.5 text-2xs text-brand tabular-nums">{count}</span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </>
  )
}
