import { expect, it } from 'vitest'
import { pageText } from './page-text.ts'

const textOf = (body: string | Uint8Array, contentType = 'text/html', charset?: string) =>
  pageText({
    url: 'https://pages.example/',
    contentType,
    charset,
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
  })

it('the text of a page is its visible text, in lines', async () => {
  const html = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body><header>Logo</header>
    <main><h1>One &amp; two</h1><p>A <b>bold</b> <a href="x">link</a>.</p><ul><li>first<li>second</ul>
    <script>if (a < b) "</p>"</script><textarea><p>typed</p></textarea><!-- gone --></main><footer>©</footer></body>`
  expect(await textOf(html)).toBe('One & two\nA bold link.\nfirst\nsecond')
})

it('the text of a page is found although its markup is never closed', async () => {
  expect(await textOf('<nav><ul><li>Menu<article><p>The matter</p>')).toBe('The matter')
})

it('the text of a page is decoded in the declared character set, or in UTF-8 for an unknown one', async () => {
  expect(await textOf(Buffer.from('caf\xe9', 'latin1'), 'text/plain', 'iso-8859-1')).toBe('café')
  expect(await textOf('café', 'text/plain', 'klingon')).toBe('café')
})

it('the text of a page is cut at whole characters', async () => {
  const text = await textOf(`x${'😀'.repeat(10_000)}`, 'text/plain')
  expect(text.length).toBeLessThanOrEqual(6_000)
  expect(text.isWellFormed()).toBe(true)
})

it.each([
  ['bottomless nesting', '<div>'.repeat(400_000)],
  ['a tag that never ends', `<a ${'x="1" '.repeat(300_000)}`],
  ['an entity without an end', '&'.repeat(2_000_000)],
  ['half a script', `<script>${'<'.repeat(2_000_000)}`],
])('reading a page of %s does not block the event loop', async (_what, html) => {
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  expect(typeof (await textOf(html))).toBe('string')
  clearInterval(others)
  expect(turns).toBeGreaterThan(0)
})
