import { parseMarkdown } from '@parley/markdown'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { drawTree } from './draw-tree.ts'
import { mathParts } from './math-parts.ts'

const names = { prefix: 'n-', footnotesLabel: 'Notes' }
const options = { components: {}, urlTransform: (url: string) => (url.startsWith('javascript:') ? '' : url) }
const htmlOf = (text: string, math: typeof mathParts | null = null): string =>
  // Server rendering adds links that preload images.
  renderToStaticMarkup(drawTree(parseMarkdown(text, names, math), options)).replace(/\n|<link rel="preload"[^>]*>/g, '')

describe('a Markdown text is rendered with', () => {
  it.each([
    ['words in their looks', '**a** _b_ ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['headings and rules', '## a\n\n---', '<h2>a</h2><hr/>'],
    ['forced breaks', 'a  \n  b', '<p>a<br/>b</p>'],
    ['lines without what is around them', 'a \n b', '<p>ab</p>'],
    [
      'addresses of pages as links',
      'www.a.example, https://b.example/c.',
      '<p><a href="http://www.a.example">www.a.example</a>, <a href="https://b.example/c">https://b.example/c</a>.</p>',
    ],
    [
      'addresses of mail as links',
      'Write to a.b+c@d.example or www.a.example.',
      '<p>Write to <a href="mailto:a.b+c@d.example">a.b+c@d.example</a> or <a href="http://www.a.example">www.a.example</a>.</p>',
    ],
    ['quotes', '> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
    ['code with its language', '```js title\na < b\n```', '<pre><code class="language-js">a &lt; b</code></pre>'],
    ['tight lists', '3. a\n4. b\n   - c', '<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>'],
    ['loose lists', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    [
      'tasks',
      '- [x] a\n- [ ] b',
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled="" checked=""/> a</li><li class="task-list-item"><input type="checkbox" disabled=""/> b</li></ul>',
    ],
    [
      'tables, whose rows are as long as their head',
      '| a | b |\n|:-:|---|\n| c |',
      '<table><thead><tr><th style="text-align:center">a</th><th>b</th></tr></thead><tbody><tr><td style="text-align:center">c</td><td></td></tr></tbody></table>',
    ],
    [
      'links',
      '[a](/ü "t") https://b.c',
      '<p><a href="/%C3%BC" title="t">a</a> <a href="https://b.c">https://b.c</a></p>',
    ],
    ['links defined elsewhere', '[a][X]\n\n[x]: /b "t"\n[x]: /c', '<p><a href="/b" title="t">a</a></p>'],
    ['links that lead nowhere', '[a](javascript:b)', '<p><a href="">a</a></p>'],
    ['images', '![a](/b "t") ![c][d]\n\n[d]: /e', '<p><img src="/b" alt="a" title="t"/> <img src="/e" alt="c"/></p>'],
    [
      'lines in a cell',
      '| a |\n|---|\n| b<br>c<BR /> d |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b<br/>c<br/> d</td></tr></tbody></table>',
    ],
    ['HTML as text', '<b onclick="c()">', '&lt;b onclick=&quot;c()&quot;&gt;'],
    ['citations', 'a [1]', '<p>a <cite>1</cite></p>'],
  ])('%s', (_, text, html) => {
    expect(htmlOf(text)).toBe(html)
  })

  it('footnotes in the order of their references, with links back', () => {
    const html = htmlOf('a[^y] b[^x] c[^y]\n\n[^x]: X\n[^y]: Y')
    expect(html).toContain(
      '<a href="#n-fn-y" id="n-fnref-y-2" data-footnote-ref="true" aria-describedby="footnote-label">1</a>',
    )
    expect(html).toMatch(/<ol><li id="n-fn-y"><p>Y <a href="#n-fnref-y".*<a href="#n-fnref-y-2".*<li id="n-fn-x"><p>X /)
    expect(html).toContain('<h2 class="sr-only" id="footnote-label">Notes</h2>')
  })

  it('formulas, if math is enabled', () => {
    expect(htmlOf('$$x$$')).toBe('<p>$$x$$</p>')
    const html = htmlOf('$$\\vec{x}$$', mathParts)
    expect(html).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML">')
    expect(html).toMatch(/<span class="vlist" style="height:[\d.]+em">/)
    expect(html).toMatch(/<svg [^>]*viewBox="0 0 471 714"/)
    expect(html).toContain('aria-hidden="true"')
  })

  it('custom components, with one child or several', () => {
    const components = {
      p: ({ children }: { children?: unknown }) => createElement('i', {}, JSON.stringify(typeof children)),
    }
    const drawn = drawTree(parseMarkdown('a\n\nb *c*', names, null), { ...options, components })
    expect(renderToStaticMarkup(drawn)).toBe('<i>&quot;string&quot;</i>\n<i>&quot;object&quot;</i>')
  })
})
