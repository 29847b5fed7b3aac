import { type KeyboardEvent, useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { isModified } from '../../../shared/keyboard/index.ts'
import { classNames } from '../../../shared/ui/index.ts'
import { tabs } from './prompt-names.ts'

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** Example prompts in tabs; arrow keys switch tabs. */
export function PromptTabs({ onStart }: { onStart: (prompt: string) => void }) {
  const { t } = useText()
  const id = useId()
  const [shown, setShown] = useState<(typeof tabs)[number]>('coding')
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isModified(event)) return
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const step = event.key === forward ? 1 : ['ArrowLeft', 'ArrowRight'].includes(event.key) ? -1 : 0
    const at = { Home: 0, End: tabs.length - 1 }[event.key] ?? tabs.indexOf(shown) + step
    const next = tabs[(at + tabs.length) % tabs.length]
    if (next === undefined || next === shown) return
    event.preventDefault()
    setShown(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <div>
      <div
        role="tablist"
        aria-label={t('composer.prompts.tabs')}
        onKeyDown={onKeyDown}
        className="flex justify-center gap-1 overflow-x-auto"
      >
        {tabs.map((tab) => (
          <button
            key={tab}
            id={`${id}-${tab}`}
            type="button"
            role="tab"
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setShown(tab)}
            className={classNames(
              'h-9 shrink-0 rounded-full px-3.5 font-medium text-sm transition-colors pointer-coarse:h-11',
              tab === shown ? 'bg-brand-weak text-brand' : 'text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            {t(`composer.prompts.tab.${tab}`)}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`} className="mt-3">
        <ul className="grid gap-x-2.5 sm:grid-cols-2">
          {numbers.map((number) => (
            <li key={number} className="border-line border-b">
              <button
                type="button"
                onClick={() => onStart(t(`composer.prompts.${shown}.${number}`))}
                className="flex h-full min-h-11 w-full sm:min-h-14 items-center rounded-row px-3 py-2 text-start text-ink-2 text-sm transition-colors hover:bg-hover hover:text-ink"
              >
                <span className="line-clamp-2">{t(`composer.prompts.${shown}.${number}`)}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
