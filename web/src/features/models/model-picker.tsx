import { ChevronDown } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { type Translate, useText } from '../../shared/i18n/index.ts'
import { earlyPart } from '../../shared/lazy/index.ts'
import { Chip } from '../../shared/ui/index.ts'
import { providerNotice } from './provider-notice.ts'
import type { ModelChoice } from './use-model-choice.ts'

const ModelList = earlyPart(async () => (await import('./model-list.tsx')).ModelList)

/** Shows the selected model and opens the picker. */
export function ModelPicker({ choice }: { choice: ModelChoice }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const close = (refocus: boolean) => {
    setOpen(false)
    if (refocus) button.current?.focus()
  }
  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [open])
  const name = nameOf(choice, t)
  const notice = noticeOf(choice, t)
  return (
    <div ref={box} className="flex min-w-0 items-center gap-2 max-md:contents md:relative">
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('models.picker.label', { name })}
        onClick={() => setOpen(!open)}
        className="target flex h-9 max-w-[min(18rem,48vw)] items-center gap-2 rounded-card px-2.5 font-semibold transition-colors hover:bg-hover max-md:col-span-2 max-md:justify-self-start md:shrink-0 aria-expanded:bg-active"
      >
        <span dir="auto" className="truncate">
          {name}
        </span>
        <ChevronDown className="size-3.75 shrink-0 text-ink-3" />
      </button>
      {notice && (
        // Below the name if there is no room next to it, before the title of the chat.
        <Chip
          tone="warn"
          className="min-w-0 overflow-hidden max-md:-mt-1.5 max-md:h-4.5 max-md:max-w-(--notice-width,100%) max-md:border-0 max-md:bg-transparent max-md:pe-0 max-md:text-2xs"
        >
          <span dir="auto" className="truncate" title={notice}>
            {notice}
          </span>
        </Chip>
      )}
      {open && (
        <Suspense>
          <ModelList choice={choice} close={close} />
        </Suspense>
      )}
    </div>
  )
}

function nameOf({ model, hierarchy, isFailed }: ModelChoice, t: Translate): string {
  if (model) return model.name
  if (hierarchy) return t('models.picker.none')
  return isFailed ? t('models.picker.choose') : t('models.picker.loading')
}

function noticeOf({ hierarchy, model }: ModelChoice, t: Translate): string | null {
  if (!hierarchy || !model) return null
  const provider = hierarchy.providers.find(({ groups }) =>
    groups.some(({ models }) => models.some(({ id }) => id === model.id)),
  )
  return provider?.notice ? providerNotice(provider.notice, t) : null
}
