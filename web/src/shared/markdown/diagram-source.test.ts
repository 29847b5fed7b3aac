import { expect, it } from 'vitest'
import { readDiagram } from './diagram-source.ts'

it.each([
  'graph TD\n  A[Start] --> B{Is it?}\n  B -->|yes| C(End)',
  'graph LR\n  A["two<br/>lines"] <--> B\n  style A fill:#35d0ba,stroke:#333',
  'sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi',
  'classDiagram\n  Animal <|-- Duck\n  class Animal { +int age }',
  'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85',
])('the diagram %j is rendered unchanged', (code) => {
  expect(readDiagram(code)).toBe(code)
})

it('a diagram loses its directives and links', () => {
  const code =
    '---\r\ntitle: x\nconfig:\n  securityLevel: loose\n---\n%%{init: {"securityLevel":"loose"}}%%\ngraph TD\nclick A call f()\nlink A: x @ https://evil.example\nA-->B'
  expect(readDiagram(code)?.trim()).toBe('graph TD\n\n\nA-->B')
})

it.each([
  'graph TD\n  A@{ img: "https://evil.example/x.png", label: "x" }',
  'graph TD\n  A["<img src=x onerror=alert(1)>"]',
  'graph TD\n  A["<script>alert(1)</script>"]',
  'graph TD\n  A --> B\n  style A fill:url(https://evil.example/x)',
  'graph TD\n  classDef x background:u\\72l(https://evil.example/x)',
  'graph TD\n  A --> B\n  @import "https://evil.example/x.css"',
  'graph TD\n  A["javascript:alert(1)"]',
  '%%{init: {"themeCSS": "x"}\ngraph TD\nA-->B',
  `graph TD\n${'A-->B\n'.repeat(2_000)}`,
  '',
])('the diagram %j is not rendered', (code) => {
  expect(readDiagram(code)).toBeNull()
})
