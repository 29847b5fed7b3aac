import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chat, given, message, refusal } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'
import { printThread } from './print-thread.ts'

const { paper, errors } = vi.hoisted(() => ({
  paper: { shown: () => [] as string[], printed: [] as string[][] },
  errors: [] as string[],
}))
vi.mock('../../../../shared/print-page.ts', () => ({
  printPage: async (isWanted: () => boolean) => {
    if (isWanted()) paper.printed.push(paper.shown())
  },
}))
vi.mock('../../../../shared/ui/index.ts', () => ({
  notify: { error: (words: (now: (id: string) => string) => string) => errors.push(words((id) => id)) },
}))
beforeEach(() => {
  paper.printed = []
  errors.length = 0
})

const page = (id: string, hasMore: boolean) => chat([message({ id, content: id })], { hasMore })
const [latest, middle, first] = [page('latest', true), page('middle', true), page('first', false)]

/** A chat of three pages whose first one is shown, and how the others arrive. */
async function shown(...pages: Parameters<typeof given>[0]['pages'] & object) {
  const it = given({ chatId: 'c1', pages: [latest, latest, ...pages] })
  paper.shown = () => it.state().messages.map(({ content }) => content)
  await it.session.open()
  return it
}

describe('a chat of several pages', () => {
  it('is printed in full', async () => {
    const { session } = await shown(middle, first)
    await printThread(session, () => true)
    expect(paper.printed).toEqual([['first', 'middle', 'latest']])
    expect(errors).toEqual([])
  })

  it('is printed in full while one of its pages is being loaded already', async () => {
    const scrolled = Promise.withResolvers<ReturnType<typeof chat>>()
    const { session, pages } = await shown()
    pages.unshift(scrolled.promise)
    void session.loadOlder()
    pages.push(first)
    const printing = printThread(session, () => true)
    await untilPasses(() => expect(pages).toEqual([first]))
    scrolled.resolve(middle)
    await printing
    expect(paper.printed).toEqual([['first', 'middle', 'latest']])
  })

  it('is not printed if a page fails to load, which is reported', async () => {
    const { session } = await shown(middle, refusal(503, 'unavailable'))
    await printThread(session, () => true)
    expect([paper.printed, errors]).toEqual([[], ['thread.print.failed']])
  })

  it('is neither printed nor reported if another chat is shown meanwhile', async () => {
    for (const last of [first, refusal(503, 'unavailable')]) {
      const { session } = await shown(middle, last)
      await printThread(session, () => false)
    }
    expect([paper.printed, errors]).toEqual([[], []])
  })
})

it('a chat that failed to load is not printed, which is reported', async () => {
  const { session } = given({ chatId: 'c1', pages: [refusal(503, 'unavailable')] })
  await printThread(session, () => true)
  expect([paper.printed, errors]).toEqual([[], ['thread.print.failed']])
})

it('a chat whose end fails to load is not printed, which is reported', async () => {
  const around = chat([message({ id: 'middle' })], { hasMore: false, hasNewer: true, shown: true })
  const { session, pages } = given({ chatId: 'c1', pages: [around] })
  await session.reveal('middle')
  pages.push(refusal(503, 'unavailable'))
  await printThread(session, () => true)
  expect([paper.printed, errors]).toEqual([[], ['thread.print.failed']])
})
