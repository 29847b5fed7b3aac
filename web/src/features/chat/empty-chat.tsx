import { Code, Lightbulb, Map as MapIcon, Pencil } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'

const starters = [
  { icon: Lightbulb, title: 'chat.starter.explain.title', prompt: 'chat.starter.explain.prompt' },
  { icon: Pencil, title: 'chat.starter.write.title', prompt: 'chat.starter.write.prompt' },
  { icon: Code, title: 'chat.starter.code.title', prompt: 'chat.starter.code.prompt' },
  { icon: MapIcon, title: 'chat.starter.plan.title', prompt: 'chat.starter.plan.prompt' },
] as const

/** A chat without messages: a greeting and prompts to begin with, which go into the composer to be changed or sent. */
export function EmptyChat({ name, onStart }: { name: string | null; onStart: (prompt: string) => void }) {
  const { t } = useText()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 md:px-6">
      <div className="m-auto w-full max-w-measure py-8">
        <h1 className="text-center text-2xl font-semibold tracking-tight text-balance">
          {name ? t('chat.empty.titleNamed', { name }) : t('chat.empty.title')}
        </h1>
        <p className="mt-1.5 text-center text-ink-2">{t('chat.empty.hint')}</p>
        <ul aria-label={t('chat.empty.starters')} className="mt-8 grid gap-2.5 sm:grid-cols-2">
          {starters.map(({ icon: Icon, title, prompt }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => onStart(t(prompt))}
                className="flex h-full w-full gap-3 rounded-card border border-line px-4 py-3.5 text-start transition-colors hover:border-line-strong hover:bg-hover"
              >
                <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-brand" strokeWidth={1.6} />
                <span>
                  <span className="block font-medium">{t(title)}</span>
                  <span className="mt-0.5 line-clamp-2 text-sm text-ink-2">{t(prompt)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
