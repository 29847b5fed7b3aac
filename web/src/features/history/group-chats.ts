import type { ChatSummary } from '@parley/contracts'

/** The named groups; older chats are grouped by month. */
export type NamedGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month'

export type HistoryRow =
  | { readonly type: 'heading'; readonly key: string; readonly group: NamedGroup }
  /** `month` is the first day of that month in local time. */
  | { readonly type: 'heading'; readonly key: string; readonly month: Date }
  | { readonly type: 'chat'; readonly key: string; readonly chat: ChatSummary }

/** The first moment of a local day in milliseconds. */
export const startOfDay = (date: Date, daysBack: number): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime()

function headingOf(chat: ChatSummary, now: Date): HistoryRow {
  const named = (group: NamedGroup): HistoryRow => ({ type: 'heading', key: `group:${group}`, group })
  if (chat.pinned) return named('pinned')
  const at = new Date(chat.updatedAt)
  const time = at.getTime()
  // The server's clock may be ahead; chats from the future are from today.
  if (time >= startOfDay(now, 0)) return named('today')
  if (time >= startOfDay(now, 1)) return named('yesterday')
  if (time >= startOfDay(now, 7)) return named('week')
  if (time >= startOfDay(now, 30)) return named('month')
  const month = new Date(at.getFullYear(), at.getMonth(), 1)
  return { type: 'heading', key: `month:${month.getFullYear()}-${month.getMonth()}`, month }
}

/** The list's rows: pinned chats first, then by last change in local days, each group under its heading. */
export function groupChats(chats: readonly ChatSummary[], now: Date): HistoryRow[] {
  const sorted = [...chats].sort(
    (a, b) => Number(b.pinned) - Number(a.pinned) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  )
  const rows: HistoryRow[] = []
  let last = ''
  for (const chat of sorted) {
    const heading = headingOf(chat, now)
    if (heading.key !== last) rows.push(heading)
    last = heading.key
    rows.push({ type: 'chat', key: chat._id, chat })
  }
  return rows
}

export const chatOrder = (rows: readonly HistoryRow[]): string[] =>
  rows.flatMap((row) => (row.type === 'chat' ? [row.chat._id] : []))
