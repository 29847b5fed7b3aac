import { Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { SectionName } from './contents.ts'

/** A section with a heading that can be linked to. */
export function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useText()
  const title = t(`docs.${name}`)
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="mt-11 scroll-mt-18">
      <div className="group mb-2.5 flex items-center gap-2">
        <h2 id={`${name}-title`} className="text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <a
          href={`#${name}`}
          aria-label={t('docs.anchor', { title })}
          className="target rounded-row p-1 text-ink-3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 pointer-coarse:opacity-100"
        >
          <Link2 className="size-4" />
        </a>
      </div>
      <div className="flex flex-col gap-3.5">{children}</div>
    </section>
  )
}
