import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../../../../shared/api/index.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { Button, Dialog, IconButton, TextField, useFocusAfter } from '../../../../shared/ui/index.ts'
import { watchlistQuery } from './finance-queries.ts'

/** Edits the followed tickers; each change is saved immediately. */
export function WatchlistDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const { data: symbols } = useQuery(watchlistQuery)
  const [symbol, setSymbol] = useState('')
  const { failure, busy, save } = useSaving()
  /** Its first row is the field. */
  const rows = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfter(rows, symbols?.length)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = symbol.trim().replace(/^\$/, '').toUpperCase()
    if (wanted === '') return
    if (await save((now) => [...new Set([...now, wanted])], wanted)) setSymbol('')
  }
  return (
    <Dialog open onClose={onClose} title={t('composer.watchlist.title')}>
      <p className="mb-4 text-sm text-ink-2">{t('composer.watchlist.hint')}</p>
      <div ref={rows}>
        <form onSubmit={(event) => void add(event)} className="flex items-start gap-2">
          <TextField
            label={t('composer.watchlist.symbol')}
            value={symbol}
            onChange={(event) => setSymbol(event.target.value)}
            error={failure ?? undefined}
            data-row
            autoFocus
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            className="min-w-0 flex-1"
          />
          <Button type="submit" look="primary" busy={busy} className="mt-6.5 h-11">
            {t('composer.watchlist.add')}
          </Button>
        </form>
        <ul aria-label={t('composer.watchlist.title')} className="mt-4 flex flex-wrap gap-2">
          {symbols?.map((one, place) => (
            <li key={one} className="flex items-center rounded-full border border-line-strong ps-3 font-medium text-sm">
              {one}
              <IconButton
                label={t('composer.watchlist.remove', { symbol: one })}
                size="small"
                className="pointer-coarse:size-11"
                data-row
                onClick={() =>
                  void save((now) => now.filter((other) => other !== one)).then((done) => done && focusAfter(place + 1))
                }
              >
                <X className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      </div>
      {symbols?.length === 0 && <p className="text-sm text-ink-3">{t('composer.watchlist.empty')}</p>}
    </Dialog>
  )
}

type Change = (now: readonly string[]) => readonly string[]

/** Saves changes one after another, since each is of the list that the one before has stored. */
function useSaving() {
  const { t } = useText()
  const client = useQueryClient()
  const { error, isPending, mutateAsync } = useMutation({
    scope: { id: 'watchlist' },
    mutationFn: async ({ change, added }: { change: Change; added: string | undefined }) => {
      if (added !== undefined && !(await isKnown(added))) throw new UnknownTicker()
      // A list that could not be loaded, or was changed elsewhere, would be overwritten.
      const now = await client.fetchQuery({ ...watchlistQuery, staleTime: 0 })
      const stored = await request(endpoints.setWatchlist, { body: { symbols: [...change(now)] } })
      client.setQueryData(watchlistQuery.queryKey, stored.symbols)
    },
  })
  const save = (change: Change, added?: string): Promise<boolean> =>
    mutateAsync({ change, added }).then(
      () => true,
      () => false,
    )
  const failure = isInvalid(error)
    ? t('composer.finance.invalid')
    : error && messageOf(error, t('composer.watchlist.failed'))
  return { failure, busy: isPending, save }
}

class UnknownTicker extends Error {}

const isInvalid = (error: unknown): boolean =>
  error instanceof UnknownTicker || (isApiError(error) && error.code === 'invalid_ticker')

/** Whether a ticker has a price. If the price source does not respond, any ticker is accepted. */
async function isKnown(symbol: string): Promise<boolean> {
  try {
    const { quotes } = await request(endpoints.quotes, { query: { symbols: symbol } })
    return quotes.some((quote) => quote.symbol === symbol)
  } catch (error) {
    return !isInvalid(error)
  }
}
