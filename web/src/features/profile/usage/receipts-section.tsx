import type { Receipt } from '@parley/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { receiptsQuery } from '../../../shared/api/index.ts'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded, LoadFailure } from '../../../shared/loaded.tsx'
import { Box, Button, Chip } from '../../../shared/ui/index.ts'
import { CsvButton } from '../data-table.tsx'
import { Section } from '../page.tsx'
import { useModelNames } from '../use-model-names.ts'

/** The receipts of all answers, newest first. */
export function ReceiptsSection({ from }: { from: string }) {
  const { t } = useText()
  const query = useInfiniteQuery(receiptsQuery(from))
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const receipts = data?.pages.flatMap(({ items }) => items) ?? []
  const columns = useColumns()
  return (
    <Section
      title={t('usage.receipts')}
      lead={t('usage.receiptsLead')}
      aside={<CsvButton name={`receipts-${from}`} label={t('usage.csvReceipts')} columns={columns} rows={receipts} />}
    >
      <Box className="">
        <Loaded query={query} failed={t('usage.receiptsFailed')} shape={['40%', '75%', '40%', '75%']}>
          {() =>
            receipts.length === 0 ? (
              <p className="p-4 text-ink-2 md:p-5">{t('usage.noReceipts')}</p>
            ) : (
              <ul className="divide-y divide-line">
                {receipts.map((receipt) => (
                  <ReceiptRow key={receipt.generationId} receipt={receipt} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Box>
      {hasNextPage && (
        <Button className="mt-3" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('usage.more')}
        </Button>
      )}
      {data && error && <LoadFailure error={error} failed={t('usage.receiptsFailed')} onRetry={fetchNextPage} />}
    </Section>
  )
}

function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { t, locale } = useText()
  const nameOf = useModelNames()
  const { charged, held, released, balanceAfter, inputTokens, outputTokens, estimated } = receipt
  return (
    <li className="flex items-start gap-4 px-4 py-3 md:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-medium">{nameOf(receipt.model)}</span>
          <span className="text-sm text-ink-3 tabular-nums">
            {formatMoment(receipt.at, locale)} · {t(`usage.source.${receipt.source}`)}
          </span>
        </p>
        <p className="mt-0.5 text-sm text-ink-2">{receipt.reason}</p>
        <p className="mt-0.5 text-2xs text-ink-3 tabular-nums">
          {inputTokens + outputTokens > 0 &&
            `${t(estimated ? 'usage.row.about' : 'usage.row.tokens', { inputTokens, outputTokens })} · `}
          {t('usage.row.credits', { held, released, balanceAfter })}
        </p>
      </div>
      {charged === 0 ? (
        <Chip tone="on" className="h-5.5 shrink-0 text-2xs">
          {t('usage.free')}
        </Chip>
      ) : (
        <span className="shrink-0 font-medium tabular-nums">{t('usage.charged', { count: charged })}</span>
      )}
    </li>
  )
}

function useColumns() {
  const { t } = useText()
  const nameOf = useModelNames()
  return [
    { label: t('usage.column.time'), value: ({ at }: Receipt) => at },
    { label: t('usage.column.model'), value: ({ model }: Receipt) => nameOf(model) },
    { label: t('usage.column.source'), value: ({ source }: Receipt) => t(`usage.source.${source}`) },
    { label: t('usage.column.input'), value: ({ inputTokens }: Receipt) => inputTokens },
    { label: t('usage.column.output'), value: ({ outputTokens }: Receipt) => outputTokens },
    { label: t('usage.column.held'), value: ({ held }: Receipt) => held },
    { label: t('usage.column.charged'), value: ({ charged }: Receipt) => charged },
    { label: t('usage.column.released'), value: ({ released }: Receipt) => released },
    { label: t('usage.column.balance'), value: ({ balanceAfter }: Receipt) => balanceAfter },
    { label: t('usage.column.reason'), value: ({ reason }: Receipt) => reason },
    { label: t('usage.column.id'), value: ({ generationId }: Receipt) => generationId },
  ]
}
