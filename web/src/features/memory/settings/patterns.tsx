import type { DetectionPattern } from '@parley/contracts'
import { maxOwnPatterns } from '@parley/contracts/memory-constants'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton, Switch, useFocusAfter } from '../../../shared/ui/index.ts'
import { type Changes, withEnabled, withoutPattern, withPattern } from './pattern-changes.ts'
import { PatternForm } from './pattern-form.tsx'
import { patternName } from './pattern-name.ts'

/** A change of the patterns as they are when it is saved. */
type ChangesOf = (patterns: readonly DetectionPattern[]) => Changes

interface Props {
  readonly patterns: readonly DetectionPattern[]
  readonly onSwitch: (changesOf: ChangesOf) => void
  /** Rejects with the server's refusal. */
  readonly save: (changesOf: ChangesOf) => Promise<void>
  readonly onFail: (error: unknown) => void
}

const icon = 'size-4'

/** The patterns that find suggestions: built-in ones, which can be switched, and the user's own. */
export function Patterns({ patterns, onSwitch, save, onFail }: Props) {
  const { t } = useText()
  /** The id of the edited pattern; empty for a new one. */
  const [editing, setEditing] = useState<string | null>(null)
  const own = patterns.filter(({ builtIn }) => !builtIn)
  const builtIn = patterns.filter((pattern) => pattern.builtIn)
  /** Its first row is the button that adds a pattern. */
  const section = useRef<HTMLElement>(null)
  const focusAfter = useFocusAfter(section, own.length)
  /** Closes the form, whose button gets the focus. */
  const close = (id = '') => {
    flushSync(() => setEditing(null))
    section.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus()
  }
  const form = (before?: DetectionPattern) => (
    <PatternForm
      {...(before && { before })}
      submit={async (values) => {
        await save((now) => withPattern(now, values, before?.id))
        close(before?.id)
      }}
      onCancel={() => close(before?.id)}
    />
  )
  const row = (pattern: DetectionPattern, aside?: ReactNode) => (
    <div className="flex items-center pe-2">
      <div className="min-w-0 flex-1">
        <Switch
          label={patternName(pattern, t)}
          // Built-in patterns cover seven languages, and are not readable.
          hint={[t(`memory.category.${pattern.category}`), ...(pattern.builtIn ? [] : [pattern.pattern])].join(' · ')}
          checked={pattern.enabled}
          onChange={(enabled) => onSwitch((now) => withEnabled(now, pattern.id, enabled))}
        />
      </div>
      {aside}
    </div>
  )
  return (
    <section ref={section} aria-label={t('memory.patterns.title')}>
      <div className="mb-3 flex items-end justify-between gap-4">
        <div>
          <h2 className="font-semibold">{t('memory.patterns.title')}</h2>
          <p className="mt-0.5 text-sm text-ink-2">{t('memory.patterns.lead')}</p>
        </div>
        <Button size="small" data-row="" disabled={own.length >= maxOwnPatterns} onClick={() => setEditing('')}>
          <Plus className={icon} />
          {t('memory.patterns.add')}
        </Button>
      </div>
      {editing === '' && <div className="mb-3 rounded-card border border-line p-4">{form()}</div>}
      {own.length > 0 && (
        <ul aria-label={t('memory.patterns.own')} className="mb-3 divide-y divide-line rounded-card border border-line">
          {own.map((pattern, place) => (
            <li key={pattern.id} className="wrap-anywhere">
              {editing === pattern.id ? (
                <div className="p-4">{form(pattern)}</div>
              ) : (
                row(
                  pattern,
                  <>
                    <IconButton
                      data-row={pattern.id}
                      label={t('memory.patterns.edit', { name: pattern.name })}
                      size="small"
                      onClick={() => setEditing(pattern.id)}
                    >
                      <Pencil className={icon} />
                    </IconButton>
                    <IconButton
                      label={t('memory.patterns.remove', { name: pattern.name })}
                      size="small"
                      onClick={() =>
                        void save((now) => withoutPattern(now, pattern.id)).then(() => focusAfter(place + 1), onFail)
                      }
                    >
                      <Trash2 className={icon} />
                    </IconButton>
                  </>,
                )
              )}
            </li>
          ))}
        </ul>
      )}
      {builtIn.length > 0 && (
        <details className="rounded-card border border-line">
          <summary className="target px-4 py-3 text-sm font-medium md:px-5">
            {t('memory.patterns.builtIn', {
              on: builtIn.filter(({ enabled }) => enabled).length,
              count: builtIn.length,
            })}
          </summary>
          <ul className="divide-y divide-line border-t border-line">
            {builtIn.map((pattern) => (
              <li key={pattern.id} className="wrap-anywhere">
                {row(pattern)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
