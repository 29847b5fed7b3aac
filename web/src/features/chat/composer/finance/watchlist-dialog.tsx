import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../../../../shared/api/index.ts'
import { useText, type Wording } from '../../../../shared/i18n/index.ts'
import { Button, Dialog, IconButton, TextField } from '../../../../shared/ui/index.ts'
import { watchlistQuery } from './finance-queries.ts'

/** Edits the followed tickers; each change is saved immediately. */
export function WatchlistDialog({ symbols, onClose }: { symbols: readonly string[]; onClose: () => void }) {
  const { t } = useText()
  const [symbol, setSymbol] = useState('')
  const { failure, busy, save } = useSaving()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = symbol.trim().replace(/^\$/, '').toUpperCase()
    if (wanted === '') return
    if (await save([...new Set([...symbols, wanted])], wanted)) setSymbol('')
  }
  return (
    <Dialog open onClose={onClose} title={t('composer.watchlist.title')}>
      <p className="mb-4 text-sm text-ink-2">{t('composer.watchlist.hint')}</p>
      <form onSubmit={(event) => void add(event)} className="flex items-start gap-2">
        <TextField
          label={t('composer.watchlist.symbol')}
          value={symbol}
          onChange={(event) => setSymbol(event.target.value)}
          error={failure ?? undefined}
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
        {symbols.map((one) => (
          <li key={one} className="flex items-center rounded-full border border-line-strong ps-3 font-medium text-sm">
            {one}
            <IconButton
              label={t('composer.watchlist.remove', { symbol: one })}
              size="small"
              className="pointer-coarse:size-11"
              onClick={() => void save(symbols.filter((other) => other !== one))}
            >
              <X aria-hidden="true" className="size-4" strokeWidth={1.6} />
            </IconButton>
          </li>
        ))}
      </ul>
      {symbols.length === 0 && <p className="text-sm text-ink-3">{t('composer.watchlist.empty')}</p>}
    </Dialog>
  )
}

function useSaving() {
  const { t } = useText()
  const client = useQueryClient()
  const [failure, setFailure] = useState<{ readonly words: Wording } | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (symbols: readonly string[], added?: string): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      if (added !== undefined && !(await isKnown(added))) {
        setFailure({ words: (now) => now('composer.finance.invalid') })
        return false
      }
      const stored = await request(endpoints.setWatchlist, { body: { symbols: [...symbols] } })
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
