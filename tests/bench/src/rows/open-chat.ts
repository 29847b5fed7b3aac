import { register } from '../register.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import { timedCall } from '../timed-call.ts'
import type { Whole } from '../whole.ts'
import { writtenChat } from '../written-chat.ts'

const limit = 1.2
const shortLength = 10
/** Page size requested by the web application. */
const pageLength = 50

/** W3: the first page of a very long chat over that of a short one, with alternating calls. */
export async function measureOpenChat({ plan, parley }: Whole): Promise<Row[]> {
  const { token } = await register(parley, 'w3-opener')
  const chats = [writtenChat(1, plan.longChat), writtenChat(2, pageLength), writtenChat(3, shortLength)]
  await parley.callAs(token, 'POST', '/chat/import', chats)
  const listed = await parley.callAs<{ _id: string; messageCount: number }[]>(token, 'GET', '/chat/history')
  const urlOf = (length: number, query = ''): string => {
    const chat = listed.find(({ messageCount }) => messageCount === length)
    if (chat === undefined) throw new Error(`A chat of ${length} messages was not imported`)
    return `${parley.url}/api/chat/history/${chat._id}${query}`
  }
  const same = `?limit=${shortLength}`
  const urls = {
    long: urlOf(plan.longChat, same),
    short: urlOf(shortLength, same),
    longPage: urlOf(plan.longChat),
    page: urlOf(pageLength),
    few: urlOf(shortLength),
  }
  const open = async (url: string): Promise<number> => timedCall(url, token)
  const rounds: { part: number; page: number; longMs: number; pageMs: number; fewMs: number }[] = []
  for (let round = -1; round < plan.rounds; round += 1) {
    const times = await takeTurns(urls, open, plan.openings)
    // The first round is a warm-up.
    if (round < 0) continue
    const { long, short, longPage, page, few } = times
    rounds.push({ part: long / short, page: longPage / page, longMs: longPage, pageMs: page, fewMs: few })
  }
  const each = (part: 'longMs' | 'pageMs' | 'fewMs'): string => median(rounds.map((round) => round[part])).toFixed(1)
  const what = `open a chat of ${plan.longChat} messages`
  return [
    row(
      `${what} / of ${shortLength}, the last ${shortLength} of each`,
      rounds.map(({ part }) => part),
    ),
    row(
      `${what} / of ${pageLength}, a page of ${pageLength} as the web application asks (${each('longMs')} ms / ${each('pageMs')} ms; the whole chat of ${shortLength}: ${each('fewMs')} ms)`,
      rounds.map(({ page }) => page),
    ),
  ]
}

const row = (goal: string, ratios: readonly number[]): Row => ({
  id: 'W3',
  goal,
  measured: withSpread(ratios, 2, ' ×'),
  limit: `≤ ${limit} ×`,
  met: median(ratios) <= limit,
})

/** Median milliseconds of this many calls each, alternating. */
async function takeTurns<Name extends string>(
  urls: Readonly<Record<Name, string>>,
  open: (url: string) => Promise<number>,
  turns: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(urls) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of names) times.get(name)?.push(await open(urls[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>
}
