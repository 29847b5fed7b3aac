import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'
import { retryImport } from '../lazy/index.ts'

/** Maximum UTF-16 units: more would block the page for too long. */
const maxLength = 40_000
/** Lines highlighted before yielding to the page. */
const linesAtOnce = 40
/** A longer line is most likely data, and costs more than all others. */
const maxLineLength = 1_000

const grammars = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}
type Grammar = keyof typeof grammars

// The C++ grammar alone is as large as half the application; C's covers most of its keywords.
const aliases: Readonly<Record<string, Grammar>> = {
  'c#': 'csharp',
  'c++': 'c',
  cpp: 'c',
  cs: 'csharp',
  golang: 'go',
  htm: 'html',
  js: 'javascript',
  jsx: 'tsx',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  python3: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  xml: 'html',
  yml: 'yaml',
  zsh: 'bash',
}

let core: Promise<HighlighterCore> | null = null

/** Implements `highlight`: loads its engine with the first code, and each grammar with the first code that needs it. */
export async function colourCode(code: string, language: string): Promise<ThemedToken[][] | null> {
  const grammar = grammarOf(language)
  if (!grammar || code.length > maxLength) return null
  core ??= retryImport(openCore).catch((error: unknown) => {
    // The next code retries.
    core = null
    throw error
  })
  const highlighter = await core
  await highlighter.loadLanguage(retryImport(grammars[grammar]))
  return colourByParts(highlighter, code, grammar)
}

async function colourByParts(highlighter: HighlighterCore, code: string, lang: Grammar): Promise<ThemedToken[][]> {
  const lines = code.split('\n')
  const coloured: ThemedToken[][] = []
  let grammarState: GrammarState | undefined
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 0))
    const part = highlighter.codeToTokensBase(lines.slice(at, at + linesAtOnce).join('\n'), {
      lang,
      theme: 'css-variables',
      tokenizeMaxLineLength: maxLineLength,
      ...(grammarState && { grammarState }),
    })
    coloured.push(...part)
    grammarState = highlighter.getLastGrammarState(part)
  }
  return coloured
}

function grammarOf(language: string): Grammar | null {
  const name = language.toLowerCase()
  return aliases[name] ?? (name in grammars ? (name as Grammar) : null)
}

async function openCore(): Promise<HighlighterCore> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ])
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--shiki-' })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}
