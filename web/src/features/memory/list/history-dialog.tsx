import type { Memory } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Chip, Dialog } from '../../../shared/ui/index.ts'
import { historyOfMemoryQuery } from '../queries.ts'

/** A memory's current and earlier texts, newest first. */
export function HistoryDialog({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const { t, locale } = useText()
  const history = useQuery(historyOfMemoryQuery(memory.id))
  return (
    <Dialog open onClose={onClose} title={t('memory.history.title')}>
      <Loaded query={history} failed={t('memory.history.failed')} shape={['90%', '40%', '70%']} className="">
        {({ items }) => (
          <>
            <ol className="divide-y divide-line">
              {items.map(({ at, text, category }) => (
                <li key={`${at}${text}`} className="py-3">
                  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                    {text}
                  </p>
                  <p className="mt-1.5 flex items-center gap-2 text-2xs text-ink-3">
                    <Chip className="h-5.5 text-2xs">{t(`memory.category.${category}`)}</Chip>
                    <time dateTime={at}>{formatMoment(at, locale)}</time>
                  </p>
                </li>
              ))}
            </ol>
            {items.length === 0 && <p className="py-3 text-ink-2">{t('memory.history.none')}</p>}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
