import { describe, expect, it } from 'vitest'
import type { ShareLink, SnapshotMessage } from '../store/documents.ts'
import { writeFirstScreen } from './first-screen.ts'

const link: ShareLink = {
  id: 'chat',
  shareId: 'link',
  ownerId: 'owner-of-it',
  snapshotId: 'snapshot',
  title: 'A title',
  description: '',
  model: 'V3',
  pages: 1,
  sharedAt: new Date('2026-01-05T10:00:00.000Z'),
  expiresAt: null,
  passwordHash: null,
  views: 0,
  goneSince: null,
}
const user = (content: string): SnapshotMessage => ({ role: 'user', content, images: [], createdAt: '' })
const assistant = (content: string, images: SnapshotMessage['images'] = []): SnapshotMessage => ({
  role: 'assistant',
  content,
  images,
  createdAt: '',
})
const htmlOf = async (messages: readonly SnapshotMessage[], of: ShareLink = link): Promise<string> =>
  (await writeFirstScreen(of, messages)).html
const answered = (content: string): Promise<string> => htmlOf([user('?'), assistant(content)])

/** Every tag that a first screen may have: none runs, frames, embeds or submits anything, and no attribute is a name or a handler. */
const soundTag =
  /^<(?:\/?(?:a|article|blockquote|br|code|del|div|em|h1|h[3-6]|hr|li|ol|p|pre|section|span|strong|sup|table|tbody|td|th|thead|time|tr|ul)|img)(?: (?:aria-hidden|alt|class|data-done|data-size|datetime|dir|height|href|loading|rel|src|start|style|tabindex|target|title|width)="[^"<>]*")*>$/
/** The same of formulas: none links, loads or scripts anything. */
const soundFormulaTag =
  /^<\/?(?:annotation|line|m(?:ath|enclose|frac|i|n|o|over|padded|phantom|root|row|space|sqrt|style|sub|subsup|sup|table|td|text|tr|under|underover)|path|semantics|svg)(?: (?:accent|accentunder|class|column(?:align|lines|spacing)|d|display|displaystyle|encoding|fence|height|linethickness|lspace|math(?:background|color|size|variant)|maxsize|minsize|notation|preserveAspectRatio|row(?:lines|spacing)|rspace|scriptlevel|separator|stretchy|stroke-width|style|viewBox|voffset|width|x[12]|xmlns|y[12])="[^"<>]*")*>$/
/** Lengths, colours and sides. */
const soundStyle =
  /^(?:(?:background-color|border-(?:bottom|right|top|left)?-?(?:color|style|width)|bottom|color|height|margin-(?:left|right|top)|min-width|padding-left|position|text-align|text-shadow|top|vertical-align|width): ?(?!fixed|absolute)[-#.\w ]*;?)+$/

/** The parts of markup that are no sound tag. */
function unsound(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? []
  const texts = html.split(/<[^>]*>/)
  return [
    ...tags.filter((tag) => !soundTag.test(tag) && !soundFormulaTag.test(tag)),
    ...tags.filter((tag) => /(?:href|src)="(?!https?:|mailto:|\/api\/share\/link\/images\/)/.test(tag)),
    ...tags.filter((tag) => !soundStyle.test(/ style="([^"]*)"/.exec(tag)?.[1] ?? 'top: 0')),
    ...texts.filter((text) => /[<>"'\0]|&(?!(?:amp|lt|gt|quot|#39);)/.test(text)),
  ]
}

const hostile: readonly string[] = [
  '</script><script>window.hacked = 1</script>',
  '</title></style></textarea></noscript><img src=x onerror=alert(1)>',
  "\"><svg/onload=alert(1)> ' onmouseover='alert(1)",
  '<!--><script>alert(1)</script-->',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x) [e](//evil.example)',
  '[a](https://e.example/"onmouseover="alert(1)) [b](<https://e.example/ onclick=alert(1)>) [c](https://e.example "t\\" onclick=\\"")',
  '<javascript:alert(1)> ![x](javascript:alert(1)) ![y](data:image/svg+xml,<svg onload=alert(1)>) ![z](/api/chat/files/1)',
  '![a "b" <c>](https://evil.example/p.png?"a=b<c>) [![i](https://evil.example/i.png)](https://evil.example/)',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '~~~js onload="x\n&lt;b&gt; & <b>\n~~~',
  '| a"<b> | c |\n|:-:|--:|\n| <td onclick=x> | `</table><script>` |',
  '- [x] done <b>\n- [ ] open\n\n7. seven "<i>"',
  'A note[^"><script>] and[^1].\n\n[^"><script>]: <b>one</b>\n[^1]: two',
  '[a]: javascript:alert(1)\n\n[a] and ![a][a]',
  'nul \0 <\0script>alert(1)</\0script> and &#0; &#x3C;script&#x3E; &lt;script&gt;',
  '\u202E<script>\u202C \u2066</div>\u2069 \uFEFF<b\u2028onclick=x>',
  '$\\href{javascript:alert(1)}{x}$ <$x$>',
  '$\\text{</math><script>alert(1)</script>}$ $\\htmlStyle{background:url(x)}{x}$ $\\htmlId{a}{x}$ $\\url{javascript:x}$ $$\\includegraphics{https://evil.example/x}$$',
  '$\\color{red;position:fixed}{x}$ $\\textcolor{"onclick=x}{x}$ $\\unknown{"<b>}$ $\\def\\x{\\x\\x}\\x$ $\\rule{9999em}{9999em}$ $$\\sqrt{x} \\tag{"<b>}$$',
  `${'<div '.repeat(500)}${'>'.repeat(500)}`,
  `${'**'.repeat(3_000)}<script>`,
  `${'- '.repeat(3_000)}<script>`,
]

describe('the first screen of a shared chat', () => {
  it.each(hostile)('is nothing but sound tags and escaped texts, whatever is said: %j', async (text) => {
    const image = { id: '0_"><script>', fileId: 'f', mimeType: 'image/png', width: 1, height: 1 }
    const messages = [user(text), assistant(text, [image]), assistant(`${text}\n\nand \`${text}\``)]
    const html = await htmlOf(messages, { ...link, title: text, model: text })
    expect(unsound(html).filter((part) => !part.startsWith('<img src="/api/share/link/images/0_&quot;'))).toEqual([])
    expect(html).not.toContain('owner-of-it')
  })

  it('shows what a check like the one above must find', () => {
    for (const wrong of [
      '<script>',
      '<p onclick="x">',
      '<p id="x">',
      '<a href="javascript:x">',
      '<math href="x">',
      '<svg onload="x">',
      '<span style="position:fixed">',
      '<span style="background:url(x)">',
      'a < b',
      'a "b"',
      '<p',
    ])
      expect(unsound(wrong), wrong).not.toEqual([])
  })

  it('is an answer as the page draws it', async () => {
    expect(await answered('# One **two**\n\nA [link](https://a.example/?b&c).')).toContain(
      '<h3 dir="auto" data-size="1">One <strong>two</strong></h3>\n<p>A <a href="https://a.example/?b&amp;c" target="_blank" rel="noopener noreferrer nofollow">link</a>.</p>',
    )
    expect(await answered('```js\na < b\n```')).toContain(
      '<div class="code-bar"><span class="me-auto truncate">js</span></div><pre tabindex="0"><code><span class="block">a &lt; b</span></code></pre>',
    )
    expect(await answered('|a|\n|:-:|\n|b|')).toContain(
      '<table><thead><tr><th style="text-align: center">a</th></tr></thead><tbody><tr><td style="text-align: center">b</td></tr></tbody></table>',
    )
    expect(await answered('- [x] done')).toContain('<span class="task-mark" data-done="true"></span> done')
    expect(await answered('As [1] says <b>')).toContain('<p>As [1] says &lt;b&gt;</p>')
    expect(await answered('Run `a()`')).toContain('<p>Run <code dir="ltr">a()</code></p>')
  })

  it('has formulas as they are set, and says so', async () => {
    const { html, hasFormulas } = await writeFirstScreen(link, [
      assistant('So $a<b$ and\n\n$$\\sqrt{x}$$\n\nfor $5 or `$y$`.'),
    ])
    expect(hasFormulas).toBe(true)
    expect(html.match(/<span class="katex">/g)).toHaveLength(2)
    expect(html).toContain('<annotation encoding="application/x-tex">a&lt;b</annotation>')
    expect(html).toContain('<span class="katex-display">')
    expect(html).toMatch(/<svg [^>]*viewBox="[^"]+"[^>]*><path d="[^"]+"><\/path><\/svg>/)
    expect(html).toContain('<p>for $5 or <code dir="ltr">$y$</code>.</p>')
  })

  it('needs nothing of formulas where it has none', async () => {
    const messages = [user('What is $x^2$?'), assistant('It costs $5, or $10 with `$x$`.')]
    const { html, hasFormulas } = await writeFirstScreen(link, messages)
    expect(hasFormulas).toBe(false)
    expect(html).toContain('What is $x^2$?')
    expect(html).toContain('It costs $5, or $10')
  })

  it('ends before a block with more formulas than can be set at once', async () => {
    const html = await answered(`Before.\n\n${'$a+b$ and '.repeat(600)}\n\nAfter.`)
    expect(html).toContain('Before.')
    expect(html).not.toContain('katex')
    expect(html).not.toContain('After.')
  })

  it('leaves the date and the model to the script, with their line in place', async () => {
    expect(await htmlOf([])).toContain(
      '<time datetime="2026-01-05T10:00:00.000Z">\u00A0</time><span class="invisible" aria-hidden="true">·</span>',
    )
  })

  it('begins with an image that has no text beside it', async () => {
    const image = { id: '0_i', fileId: 'f', mimeType: 'image/png', width: 640, height: 480 }
    const html = await htmlOf([assistant('', [image])])
    expect(html).toContain('<img src="/api/share/link/images/0_i" alt="" width="640" height="480" loading="lazy"')
    expect(html).not.toContain('class="markdown"')
  })

  it.each([
    ['messages', Array.from({ length: 2_000 }, (_, nth) => (nth % 2 ? assistant : user)(`Text ${nth}`))],
    ['a long answer', [user('?'), assistant('A paragraph of some words.\n\n'.repeat(40_000))]],
    ['a long line', [user('x'.repeat(1_000_000)), assistant('y'.repeat(1_000_000))]],
    ['a long block of code', [assistant(`\`\`\`js\n${'const a = 1\n'.repeat(50_000)}\`\`\``)]],
    ['an answer of formulas', [assistant('So $x_1$ is.\n\n$$\\frac{a}{b}$$\n\n'.repeat(400))]],
    ['long answers of many blocks', Array.from({ length: 12 }, () => assistant('- a\n\nb\n\n'.repeat(9_000)))],
  ])('is short, however much there is: %s', async (_what, messages) => {
    const html = await htmlOf(messages)
    expect(html.length).toBeGreaterThan(500)
    expect(html.length).toBeLessThan(80_000)
  })
})
