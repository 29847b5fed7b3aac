import type { SourceChat, SourceMessage } from './imported-chat.ts'

/** A message with its place: its parent comes before it, and is older. */
export interface Planted {
  readonly id: string
  readonly parentId: string | null
  readonly said: NonNullable<SourceMessage['said']>
  readonly at: Date
}

/**
 * Makes a tree of what a file says, in time that grows with its messages only: what is passed over is bridged, a parent that is not there is none, and a
 * circle is cut open.
 */
export function plantTree(source: SourceChat, now: Date): { messages: readonly Planted[]; leafId: string } {
  const found = new Map<string, SourceMessage>()
  for (const message of source.messages) if (!found.has(message.id)) found.set(message.id, message)
  const said = saidAbove(found)
  const children = Map.groupBy(
    [...found.values()].filter((message) => message.said !== null),
    ({ parentId }) => said(parentId),
  )
  const messages: Planted[] = []
  const planted = new Map<string, Planted>()
  const grow = (root: SourceMessage, parent: Planted | undefined): void => {
    const open = [{ message: root, parent }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { message } = next
      if (message.said === null || planted.has(message.id)) continue
      const at = timeOf(message, next.parent?.at, source.createdAt ?? now, now)
      const here: Planted = { id: message.id, parentId: next.parent?.id ?? null, said: message.said, at }
      planted.set(here.id, here)
      messages.push(here)
      const below = children.get(message.id) ?? []
      for (const child of below.toReversed()) open.push({ message: child, parent: here })
    }
  }
  for (const root of children.get(null) ?? []) grow(root, undefined)
  // Only cycles are left: the first message of each becomes a root.
  for (const message of found.values()) grow(message, undefined)
  return { messages, leafId: leafOf(messages, said(source.leafId)) }
}

/** The message that a message follows or is, among those that count. */
function saidAbove(found: ReadonlyMap<string, SourceMessage>): (id: string | null) => string | null {
  const known = new Map<string, string | null>()
  return (id) => {
    const passed: string[] = []
    const seen = new Set<string>()
    let at = id
    let above: string | null = null
    while (at !== null && !seen.has(at)) {
      const message = found.get(at)
      const remembered = known.get(at)
      if (remembered !== undefined) above = remembered
      else if (message?.said) above = at
      if (remembered !== undefined || message === undefined || message.said !== null) break
      seen.add(at)
      passed.push(at)
      at = message.parentId
    }
    for (const each of passed) known.set(each, above)
    return above
  }
}

/** Its own time, but not in the future, and later than its parent's. */
function timeOf({ at }: SourceMessage, parentAt: Date | undefined, otherwise: Date, now: Date): Date {
  const earliest = parentAt === undefined ? undefined : parentAt.getTime() + 1
  const own = Math.min(at?.getTime() ?? earliest ?? otherwise.getTime(), now.getTime())
  return new Date(Math.max(own, earliest ?? 0))
}

/** The one that was shown, or the newest that nothing follows. */
function leafOf(messages: readonly Planted[], shown: string | null): string {
  if (shown !== null) return shown
  const followed = new Set(messages.map(({ parentId }) => parentId))
  const ends = messages.filter(({ id }) => !followed.has(id))
  return ends.reduce((newest, end) => (end.at >= newest.at ? end : newest), ends[0] as Planted)?.id ?? ''
}
