import type { RecordedTool } from '@parley/fake-provider'
import type { DemoRequest } from './request.ts'

/** A tool call. */
export interface DemoCall {
  readonly id: string
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
}

const mostCalls = 3
const asksToSearch = /\b(search|look up|find|latest|news|today|current|web|internet)\b/i
const asksForPrice = /\b(price|prices|stock|stocks|share|shares|quote|quotes|ticker|market|worth)\b/i

/** The tool calls that a question requests in plain words; none once there are results. */
export function callsFor({ question, tools, results }: DemoRequest): DemoCall[] {
  if (results.length > 0) return []
  const wanted = tools.flatMap((tool) =>
    argumentsOf(tool, question).map((parameters) => ({ name: tool.name, parameters })),
  )
  return wanted.slice(0, mostCalls).map((call, index) => ({ id: `call_demo_${index}`, ...call }))
}

function argumentsOf({ parameters }: RecordedTool, question: string): DemoCall['parameters'][] {
  const [symbol, query] = [
    parameters.find((name) => /symbol|ticker/i.test(name)),
    parameters.find((name) => /query/i.test(name)),
  ]
  if (symbol !== undefined) return tickersIn(question).map((ticker) => ({ [symbol]: ticker }))
  if (query !== undefined && asksToSearch.test(question)) return [{ [query]: question.trim().slice(0, 200) }]
  return []
}

/** `$AAPL` always, `AAPL` only in a question about prices. */
function tickersIn(question: string): string[] {
  const pattern = asksForPrice.test(question) ? /\$?\b([A-Z]{2,5}(?:\.[A-Z])?)\b/g : /\$([A-Z]{1,5}(?:\.[A-Z])?)\b/g
  return [...new Set([...question.matchAll(pattern)].map(([, ticker]) => ticker ?? ''))]
}
