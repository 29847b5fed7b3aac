import type { Memory } from '@parley/contracts'
import { formatDay } from '../../shared/format.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Chip, Link } from '../../shared/ui/index.ts'

interface Props {
  readonly memory: Memory
  readonly chatPath: (chatId: string) => string
  readonly onLeave: () => void
}

/** A memory's details besides its text, with a link to the message it came from. */
export function MemoryFacts({ memory, chatPath, onLeave }: Props) {
  const { t, locale } = useText()
  const { category, confidence, source, createdAt, lastUsedAt } = memory
  const day = (iso: string) => formatDay(iso, locale)
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-2xs text-ink-3">
      <Chip className="h-5.5 text-2xs">{t(`memory.category.${category}`)}</Chip>
      <span>{t(`memory.confidence.${confidence}`)}</span>
      {source ? (
        <Link
          to={`${chatPath(source.chatId)}?m=${encodeURIComponent(source.messageId)}`}
          onClick={onLeave}
          className="target rounded-sm text-brand underline underline-offset-2"
        >
          {t('memory.fromMessage', { date: day(createdAt) })}
        </Link>
      ) : (
        <span>{t('memory.byHand', { date: day(createdAt) })}</span>
      )}
      {lastUsedAt && <span>{t('memory.lastUsed', { date: day(lastUsedAt) })}</span>}
    </div>
  )
}
