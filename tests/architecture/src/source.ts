import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'

/** A node of swc's syntax tree, with the parts that the rules use. */
export interface SyntaxNode {
  readonly type: string
  readonly [field: string]: unknown
}

/** One parsed TypeScript file. */
export interface Source {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly lines: number
  /** Top-level statements. */
  readonly body: readonly SyntaxNode[]
  readonly imports: readonly Import[]
}

/** One module specifier in a file: an import, a re-export, a dynamic import or an `import('…')` type. */
export interface Import {
  readonly specifier: string
  /** True if it disappears when types are stripped. */
  readonly typeOnly: boolean
}

/** @throws Error with the file's name when swc cannot parse it */
export function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const body = parse(path, text)
  return { path, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0), body, imports: namedModules(body) }
}

function parse(path: string, text: string): readonly SyntaxNode[] {
  try {
    const module = parseSync(text, {
      syntax: 'typescript',
      tsx: path.endsWith('.tsx'),
      decorators: true,
      target: 'es2022',
    })
    return module.body as unknown as SyntaxNode[]
  } catch (error) {
    throw new Error(`${path} cannot be parsed`, { cause: error })
  }
}

/** Yields a node and all its descendants, parents first. */
export function* walk(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item)
    return
  }
  if (value === null || typeof value !== 'object') return
  if (typeof (value as SyntaxNode).type === 'string') yield value as SyntaxNode
  for (const field of Object.values(value)) yield* walk(field)
}

function namedModules(body: readonly SyntaxNode[]): Import[] {
  const found: Import[] = []
  for (const node of walk(body)) {
    const specifier = moduleOf(node)
    if (specifier !== undefined)
      found.push({ specifier, typeOnly: node.type === 'TsImportType' || node.typeOnly === true })
  }
  return found
}

function moduleOf(node: SyntaxNode): string | undefined {
  if (node.type === 'CallExpression' && (node.callee as SyntaxNode).type === 'Import') {
    return literal((node.arguments as { expression: unknown }[])[0]?.expression)
  }
  if (node.type === 'TsImportType') return literal(node.argument)
  const declares = node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration'
  return declares || node.type === 'ExportNamedDeclaration' ? literal(node.source) : undefined
}

function literal(node: unknown): string | undefined {
  const value = (node as { value?: unknown } | null | undefined)?.value
  return typeof value === 'string' ? value : undefined
}
