import type { HierarchyModel } from '@parley/contracts'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { isComposing, isModified } from '../../shared/keyboard/index.ts'
import { LoadFailure } from '../../shared/loaded.tsx'
import { ProviderMark } from '../../shared/provider-mark/index.ts'
import { filterModels, type ModelGroup } from './filter-models.ts'
import { ModelOption } from './model-option.tsx'
import { providerNotice } from './provider-notice.ts'
import type { ModelChoice } from './use-model-choice.ts'

/** The picker's panel: search field and grouped list. `close(true)` returns the focus to the opener. */
export function ModelList({ choice, close }: { choice: ModelChoice; close: (refocus: boolean) => void }) {
  const { t } = useText()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(choice.model?.id ?? null)
  const groups = choice.hierarchy ? filterModels(choice.hierarchy, query) : []
  const models = groups.flatMap((group) => group.models)
  const at = models.findIndex((model) => model.id === active)
  const search = (text: string) => {
    const found = choice.hierarchy ? filterModels(choice.hierarchy, text).flatMap((group) => group.models) : []
    setQuery(text)
    setActive((text === '' ? choice.model : (found.find(usable) ?? found[0]))?.id ?? null)
  }
  const usable = (model: HierarchyModel) => !model.locked && (!choice.guest || model.id === choice.model?.id)
  const pick = (model: HierarchyModel | undefined) => {
    if (!model || !usable(model)) return
    if (!choice.guest) choice.choose(model.id)
    close(true)
  }
  useEffect(() => {
    panel.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || isModified(event)) return
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: models.length - 1 }[event.key]
    if (event.key === 'Enter') pick(models[at])
    else if (next === undefined || ((event.key === 'Home' || event.key === 'End') && query !== '')) return
    else setActive(models[(next + models.length) % models.length]?.id ?? null)
    event.preventDefault()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={t('models.picker.choose')}
      onKeyDown={(event) => {
        const isBack = event.key === 'Tab' && event.shiftKey && event.target instanceof HTMLInputElement
        if ((event.key !== 'Escape' && !isBack) || isComposing(event.nativeEvent)) return
        event.preventDefault()
        event.stopPropagation()
        close(true)
      }}
      // Tab leads through the panel's own controls and out of it, which closes it; a click on the opener does so itself.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.parentElement?.contains(relatedTarget)) close(false)
      }}
      className="absolute inset-x-2 top-12 z-40 flex max-h-[min(32rem,calc(100dvh-5rem))] flex-col rounded-xl border border-line-strong bg-overlay shadow-float md:inset-x-auto md:start-0 md:top-11 md:w-96"
    >
      <SearchField
        query={query}
        setQuery={search}
        onKeyDown={onKeyDown}
        listId={`${id}-list`}
        activeId={at >= 0 ? `${id}-${at}` : undefined}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('models.picker.list')}
        // Scrolls with the active option; browsers make other scroll containers a stop of the Tab key.
        tabIndex={-1}
        className="min-h-0 overflow-y-auto p-1.5"
      >
        {groups.map((group) => (
          <Group key={group.key} group={group}>
            {group.models.map((model) => {
              const index = models.indexOf(model)
              return (
                <ModelOption
                  key={model.id}
                  id={`${id}-${index}`}
                  model={model}
                  active={index === at}
                  selected={model.id === choice.model?.id}
                  usable={usable(model)}
                  onPick={() => pick(model)}
                  onPoint={() => setActive(model.id)}
                />
              )
            })}
          </Group>
        ))}
      </div>
      <Footer
        choice={choice}
        query={query}
        found={models.length > 0}
        onRetry={() => {
          // The button is about to be removed.
          panel.current?.querySelector('input')?.focus()
          choice.reload()
        }}
      />
    </div>
  )
}

interface SearchFieldProps {
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly listId: string
  readonly activeId: string | undefined
}

function SearchField({ query, setQuery, onKeyDown, listId, activeId }: SearchFieldProps) {
  const { t } = useText()
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-3.5">
      <Search className="size-4 shrink-0 text-ink-3" />
      <input
        // biome-ignore lint/a11y/noAutofocus: the person opened this panel to search in it
        autoFocus
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-label={t('models.picker.search')}
        placeholder={t('models.picker.search')}
        className="h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
      />
    </div>
  )
}

function Group({ group, children }: { group: ModelGroup; children: React.ReactNode }) {
  const { t } = useText()
  const { provider, providerName, name } = group
  const title = name === providerName ? name : `${providerName} · ${name}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox may only hold options and groups of them
    <div role="group" aria-label={title} className="pb-1.5">
      <div aria-hidden="true" className="flex items-center gap-2 px-2.5 pt-2 pb-1 text-2xs text-ink-3">
        <ProviderMark provider={provider} />
        <span className="font-medium">{title}</span>
        {group.notice && <span className="truncate text-warn">{providerNotice(group.notice, t)}</span>}
      </div>
      {children}
    </div>
  )
}

interface FooterProps {
  readonly choice: ModelChoice
  readonly query: string
  readonly found: boolean
  readonly onRetry: () => void
}

function Footer({ choice, query, found, onRetry }: FooterProps) {
  const { t } = useText()
  if (choice.isFailed) {
    return <LoadFailure error={null} failed={t('models.picker.failed')} onRetry={onRetry} className="p-3.5 text-sm" />
  }
  if (choice.guest)
    return <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">{t('models.picker.guest')}</p>
  if (found) return null
  const text = query ? t('models.picker.noMatch', { query }) : t('models.picker.none')
  return <p className="px-4 pt-1 pb-4 text-sm text-ink-2">{text}</p>
}
