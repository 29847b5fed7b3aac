import { ChevronDown, CodeXml, GraduationCap, type LucideIcon, MessageCircleQuestion, Sparkles } from 'lucide-react'
import { Suspense, useState } from 'react'
import { LaterTexts, useText } from '../../../shared/i18n/index.ts'
import { lazyPart } from '../../../shared/lazy/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { Button, classNames } from '../../../shared/ui/index.ts'
import { tabs } from './prompt-names.ts'

const PromptTabs = lazyPart(async () => (await import('./prompt-tabs.tsx')).PromptTabs)
const icons: Readonly<Record<(typeof tabs)[number], LucideIcon>> = {
  coding: CodeXml,
  learn: GraduationCap,
  about: MessageCircleQuestion,
  fact: Sparkles,
}

/** The greeting above the composer of an empty chat. */
export function Greeting() {
  const { t } = useText()
  const name = useSession((state) => state.user?.displayName ?? state.user?.username ?? null)
  return (
    <h1 className="px-4 pt-6 pb-6 text-center text-[1.75rem] leading-tight font-semibold tracking-tight text-balance max-md:order-[-2] max-md:mt-auto">
      {name ? t('chat.empty.titleNamed', { name }) : t('chat.empty.title')}
    </h1>
  )
}

/** One example prompt per tab, which is inserted into the composer, and all of them on demand. */
export function ExamplePrompts({ onStart }: { onStart: (prompt: string) => void }) {
  const { t } = useText()
  const [all, setAll] = useState(false)
  return (
    <section aria-label={t('composer.prompts.label')} className="pb-3">
      {all ? (
        <Suspense fallback={<div className="h-96" />}>
          <LaterTexts part="panels">
            <PromptTabs onStart={onStart} />
          </LaterTexts>
        </Suspense>
      ) : (
        <ul className="grid grid-cols-2 gap-2 md:grid-cols-4 md:gap-3">
          {tabs.map((tab) => {
            const Icon = icons[tab]
            return (
              <li key={tab}>
                <button
                  type="button"
                  onClick={() => onStart(t(`composer.prompts.${tab}.1`))}
                  className="flex h-full w-full flex-col gap-1.5 rounded-card border border-line p-3 text-start transition-colors hover:border-line-strong hover:bg-hover md:p-3.5"
                >
                  <span className="flex items-center gap-2 font-medium md:flex-col md:items-start">
                    <Icon className="size-4.5 shrink-0 text-brand" />
                    {t(`composer.prompts.card.${tab}`)}
                  </span>
                  <span className="line-clamp-2 text-sm text-ink-2 md:line-clamp-3">
                    {t(`composer.prompts.${tab}.1`)}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <div className="mt-2 flex justify-center">
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {t(all ? 'composer.prompts.fewer' : 'composer.prompts.more')}
          <ChevronDown className={classNames('size-4', all && 'rotate-180')} />
        </Button>
      </div>
    </section>
  )
}
