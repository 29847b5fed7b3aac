import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../../../../shared/api/index.ts'
import { useText, type Wording } from '../../../../shared/i18n/index.ts'
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

/** A change of the followed tickers. */
type Change = (now: readonly string[]) => readonly string[]

function useSaving() {
  const { t } = useText()
  const client = useQueryClient()
  const [failure, setFailure] = useState<{ readonly words: Wording } | null>(null)
  const [busy, setBusy] = useState(false)
  const previous = useRef<Promise<unknown>>(Promise.resolve())
  const attempt = async (change: Change, added?: string): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      if (added !== undefined && !(await isKnown(added))) {
        setFailure({ words: (now) => now('composer.finance.invalid') })
        return false
      }
      // A list that could not be loaded, or was changed elsewhere, would be overwritten.
      const now = await client.fetchQuery({ ...watchlistQuery, staleTime: 0 })
      const stored = await request(endpoints.setWatchlist, { body: { symbols: [...change(now)] } })
      client.setQueryData(watchlistQuery.queryKey, stored.symbols)
      return true
    } catch (error) {
      const invalid = isApiError(error) && error.code === 'invalid_ticker'
      setFailure({
        words: (now) =>
          invalid ? now('composer.finance.invalid') : messageOf(error, now('composer.watchlist.failed')),
      })
      return false
    } finally {
      setBusy(false)
    }
  }
  /** One after another, since each change is of the list that the one before has stored. */
  const save = (change: Change, added?: string): Promise<boolean> => {
    const saved = previous.current.then(() => attempt(change, added))
    previous.current = saved
    return saved
  }
  return { failure: failure?.words(t) ?? null, busy, save }
}

/** Whether a ticker has a price. If the price source does not respond, any ticker is accepted. */
async function isKnown(symbol: string): Promise<boolean> {
  try {
    const { quotes } = await request(endpoints.quotes, { query: { symbols: symbol } })
    return quotes.some((quote) => quote.symbol === symbol)
  } catch (error) {
    return !(isApiError(error) && error.code === 'invalid_ticker')
  }
}
