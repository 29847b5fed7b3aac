import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { corpus, evil } from '../src/hostile.ts'
import { type Person, registerPerson } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

/** The page's DOM as used below. */
declare const addEventListener: (type: string, listener: (event: { blockedURI: string }) => void) => void
declare class PerformanceObserver {
  constructor(listen: (list: { getEntries(): { value: number }[] }) => void)
  observe(options: { type: string; buffered: boolean }): void
}

const words = 'It says a **little** more than nothing. '.repeat(20)

/** An answer with everything that an answer can have. */
const everything = `# A heading

A paragraph with **bold**, *slanted* and ~~struck~~ words, \`code\`, a [link](https://a.example/?b&c), [1] and a\\
break.

## Another

1. one
2. two
   - inside
   - more

7. seven

- [x] done
- [ ] open

> quoted

| a | b |
|:-:|--:|
| ${'wide '.repeat(30)}| d |

\`\`\`js
const less = 1 < 2
\`\`\`

\`\`\`
plain
\`\`\`

Noted[^1] and $x^2$, and

$$
\\sqrt{\\frac{a}{b}} = \\sum_{i=1}^n \\overbrace{x_i}
$$

[^1]: A note with **marks**.

---

${words.repeat(3)}`

describe('the first screen of a shared chat', () => {
  let on: SharedSystem
  let owner: Person
  let reader: Visitor
  let nth = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    owner = await registerPerson(on.system, 'first-screen-owner')
  })
  beforeEach(async () => {
    reader = await newVisitor(on.browser, on.system.url, { size: 'phone' })
    await reader.page.addInitScript(() => {
      const noted = { moved: 0, violations: [] as string[] }
      Object.assign(globalThis, { noted })
      addEventListener('securitypolicyviolation', ({ blockedURI }) => noted.violations.push(blockedURI))
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) noted.moved += value
      }).observe({ type: 'layout-shift', buffered: true })
    })
  })
  afterEach(async ({ task }) => {
    const noted = await reader.page.evaluate<object>('({ ...noted, hacked: globalThis.hacked })')
    await endVisit(reader, task)
    expect(noted).toMatchObject({ hacked: undefined, violations: [] })
  })

  /** Writes a chat of these texts, a question first. Resolves to its id. */
  async function write(texts: readonly string[], title = 'A chat'): Promise<string> {
    nth += 1
    const at = '2026-01-05T10:00:00.000Z'
    const messages = texts.map((content, place) => ({
      id: `${nth}-${place}`,
      parentId: place === 0 ? null : `${nth}-${place - 1}`,
      role: place % 2 === 0 ? 'user' : 'assistant',
      content,
    }))
    const chat = { id: `first-screen-${nth}`, title, model: 'v3', createdAt: at, updatedAt: at }
    const file = [{ format: 'parley-chat', version: 1, chat: { ...chat, shown: messages.at(-1)?.id }, messages }]
    const imported = await owner.api.post('/api/chat/import?chatIds=true', file)
    return (imported.body as { chatIds: string[] }).chatIds[0] ?? ''
  }

  /** Resolves to the path of the link. */
  async function shareChat(body: object): Promise<string> {
    const made = await owner.api.post('/api/share', body)
    expect(made.status, made.text).toBe(201)
    return (made.body as { url: string }).url
  }
  const share = async (texts: readonly string[], { title, ...options }: { title?: string; password?: string } = {}) =>
    shareChat({ chatId: await write(texts, title), ...options })

  /** Opens a link whose script comes once `release` is called. */
  async function openHeld(path: string): Promise<{ release(): void }> {
    const held = Promise.withResolvers<void>()
    await reader.page.route('**/share-runtime.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await reader.page.goto(path, { waitUntil: 'commit' })
    return { release: held.resolve }
  }

  const footer = () => reader.page.getByText('Powered by')
  /** What is drawn, without what a script names anew each time. */
  const drawn = () =>
    reader.page.evaluate<string>(`(() => {
      const copy = document.querySelector('#root').cloneNode(true)
      for (const element of copy.querySelectorAll('*')) {
        for (const name of element.getAttributeNames().sort()) {
          const value = name === 'style' ? element.style.cssText : element.getAttribute(name)
          element.removeAttribute(name)
          element.setAttribute(name, value.replace(/note\\w+-/g, 'note-'))
        }
      }
      // Colours come when they come.
      for (const code of copy.querySelectorAll('pre code')) code.textContent = code.textContent.trim()
      copy.normalize()
      return copy.innerHTML
    })()`)

  it('is there before any script but that of the theme, whose elements the application takes over without moving one', async () => {
    const path = await share(['What is it?', everything, 'And then?', everything])
    const { page } = reader
    const { release } = await openHeld(path)
    await page.getByText('And then?').waitFor()
    // Those of formulas, which a layout asks for: until a font is there, another one takes its place.
    await page.evaluate('document.body.offsetHeight && document.fonts.ready')
    const noteElements = `(globalThis.atFirst ??= [...document.querySelectorAll('#root :is(h1, h3, p, li, td, pre, blockquote, .task-mark, .katex)')]
      .filter((element) => !element.querySelector('time')))
      .map((element) => element.isConnected && JSON.stringify(element.getBoundingClientRect()))`
    const before = await page.evaluate<unknown[]>(noteElements)
    expect(before.length).toBeGreaterThan(30)
    release()
    await footer().waitFor()
    expect(await page.evaluate<unknown[]>(noteElements)).toEqual(before)
    expect(await page.evaluate<number>('noted.moved')).toBeLessThanOrEqual(0.02)
  })

  it('leaves nothing behind that the application would not have drawn by itself', async () => {
    const images =
      '![an image](https://a.example/i.png) and [![one in a link](https://a.example/i.png)](https://a.example)'
    const path = await share(['What is it?', everything, images, images, ...corpus.slice(0, 4)])
    const { page } = reader
    await page.goto(path)
    await footer().waitFor()
    await page.locator('.katex').first().waitFor()
    const takenOver = await drawn()
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/<div id="root">.*<\/div>/s, '<div id="root"></div>')
      await route.fulfill({ response, body })
    })
    await page.goto(path)
    await footer().waitFor()
    await page.locator('.katex').first().waitFor()
    expect(takenOver).toBe(await drawn())
  })

  it('stays text, whatever is said in it', async () => {
    const texts = [
      ...corpus,
      '</div></main></script><script>window.hacked = 1</script>',
      '\u202E<script>window.hacked=1</script>',
    ]
    for (const text of [texts.join('\n\n'), ...texts.slice(-3)]) {
      const path = await share([text, text], { title: '</title></h1><script>window.hacked = 1</script>' })
      const { release } = await openHeld(path)
      await reader.page.locator('article').nth(1).waitFor()
      const planted =
        '#root :is(script, iframe, object, embed, form, base, link, meta, style, svg:not(.katex svg), input, [onerror], [onload], [id], [srcdoc])'
      expect(await reader.page.locator(planted).count()).toBe(0)
      const addresses = await reader.page
        .locator('#root :is([href], [src])')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? each.getAttribute('src') ?? ''))
      expect(addresses.filter((address) => address !== '/' && !address.startsWith(evil))).toEqual([])
      release()
      await footer().waitFor()
      await reader.page.unrouteAll({ behavior: 'wait' })
    }
  })

  it('is short for a chat of 2,000 messages, all of which can be read on', async () => {
    const path = await share(Array.from({ length: 2_000 }, (_none, place) => `Message ${place}.`))
    const { page } = reader
    const { release } = await openHeld(path)
    await page.getByText('Message 11.').waitFor()
    expect(await page.locator('ol > li').count()).toBe(12)
    release()
    await page.getByText('Message 49.').waitFor()
    await page.getByText('Message 49.').scrollIntoViewIfNeeded()
    await page.getByText('Message 99.').waitFor()
  })

  it('asks once for what it shows', async () => {
    const path = await share(['Asked?', 'Answered.'])
    const asked: string[] = []
    reader.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await reader.page.goto(path)
    await footer().waitFor()
    const about = asked.filter((each) => each.includes(path.replace('/s/', '')))
    expect(about).toEqual([path, `/api/share/${path.replace('/s/', '')}`])
    const { items } = (await owner.api.get('/api/share?limit=1')).body as { items: { views: number }[] }
    expect(items[0]?.views).toBe(1)
  })

  it('gives way to the reason when the link was revoked while its page was on its way, and is in no page from then on', async () => {
    const path = await share(['A secret question', 'A secret answer'])
    const { page } = reader
    await page.goto(path)
    await footer().waitFor()
    const { release } = await openHeld(path)
    await page.getByText('A secret answer').waitFor()
    await owner.api.delete(`/api/share/${path.replace('/s/', '')}`)
    release()
    await page.getByText('Invalid share link.').waitFor()
    expect(await page.getByText('secret').count()).toBe(0)
    const answer = await page.goto(path)
    expect([answer?.status(), await answer?.text()]).toEqual([404, expect.not.stringContaining('secret')])
    await page.getByText('Invalid share link.').waitFor()
  })

  it('may be an image alone, which is asked for once', async () => {
    const chatId = await write(['Begin', 'Begun'])
    const made = await owner.api.post('/api/chat/image', { prompt: 'A house', model: 'painter-1', chatId })
    const { messageId } = made.body as { messageId: string }
    const path = await shareChat({ chatId, messageIds: [messageId], includeImages: true })
    const { page } = reader
    let calls = 0
    page.on('request', (request) => {
      if (request.url().includes('/images/')) calls += 1
    })
    const { release } = await openHeld(path)
    const image = page.locator('#root article img')
    const isShown = () => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth > 0)
    await expect.poll(isShown).toBe(true)
    release()
    await footer().waitFor()
    expect([await isShown(), await image.getAttribute('alt'), calls]).toEqual([true, 'Image in this answer', 1])
  })

  it('has nothing of a chat with a password', async () => {
    const path = await share(['A secret question', 'A secret answer'], { title: 'Secret title', password: 'open it' })
    const { page } = reader
    const answer = await page.goto(path)
    expect(await answer?.text()).not.toMatch(/secret/i)
    await page.getByLabel('Password', { exact: true }).fill('open it')
    await page.getByRole('button', { name: 'Open chat' }).click()
    await page.getByText('A secret answer').waitFor()
  })

  it('is set from right to left where its text is, and in the theme of its visitor at once', async () => {
    const path = await share(['سؤال؟', 'جواب.\n\nAn answer.'], { title: 'عنوان' })
    const { page } = reader
    await page.addInitScript("localStorage.setItem('app-locale', 'ar'); localStorage.setItem('theme', 'delglight')")
    const { release } = await openHeld(path)
    await page.locator('html[lang=ar][dir=rtl][data-theme=delglight]').getByText('An answer.').waitFor()
    const sides = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('h1, .markdown p')].map((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect().right > element.getBoundingClientRect().right - 1 ? 'right' : 'left'
      })`)
    expect(await sides()).toEqual(['right', 'right', 'left'])
    release()
    await page.getByText('تمت المشاركة').first().waitFor()
    expect(await sides()).toEqual(['right', 'right', 'left'])
  })
})
