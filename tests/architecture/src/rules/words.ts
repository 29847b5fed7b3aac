import type { TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

/** Private metaphors, in lower case with spaces between the parts of a name, and the standard term for each. */
const wordsToAvoid: readonly (readonly [word: string, instead: string])[] = [
  ['ask again', 'retry'],
  ['conclude', 'finalize'],
  ['conclusion', 'outcome'],
  ['converse', 'tool loop'],
  ['deafen', 'unsubscribe'],
  ['desk', 'draft store'],
  ['door', 'edge, API gateway or entry point'],
  ['doors', 'entry points'],
  ['farewell', 'drain or goodbye'],
  ['farewells', 'goodbye codes'],
  ['go on', 'continue, resume or priority lane'],
  ['goes on', 'continues'],
  ['hindrance', 'send blocker'],
  ['house', 'runtime or composition root'],
  ['keep trying', 'retry with back-off'],
  ['keeper', 'lease renewer'],
  ['known browser', 'trusted device'],
  ['let go', 'release or drain'],
  ['must be there', 'assert connected'],
  ['one meaning', 'reject ambiguous requests'],
  ['pass on', 'pipe'],
  ['passage', 'retry policy'],
  ['port office', 'port allocator'],
  ['softly', 'or undefined'],
  ['standing', 'session status, or existing'],
  ['storable', 'sanitized'],
  ['surroundings', 'environment'],
  ['teller', 'event mapper'],
  ['warden', 'supervisor'],
  ['wish', 'request'],
  ['wordless', 'empty'],
]

/** The field with the name of a declaring node. */
const nameFields: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'identifier',
  ClassDeclaration: 'identifier',
  ClassMethod: 'key',
  ClassProperty: 'key',
  TsInterfaceDeclaration: 'id',
  TsTypeAliasDeclaration: 'id',
  TsMethodSignature: 'key',
  TsPropertySignature: 'key',
  AssignmentPatternProperty: 'key',
}

function declaredName(node: SyntaxNode): string | undefined {
  // Only variables and parameters can have a type annotation on their identifier.
  if (node.type === 'Identifier' && 'typeAnnotation' in node) return String(node.value)
  const named = node[nameFields[node.type] ?? ''] as SyntaxNode | undefined
  return named?.type === 'Identifier' ? String(named.value) : undefined
}

/** `sayFarewell` and `say-farewell.test.ts` are both ` say farewell … `. */
const spaced = (name: string): string => ` ${name.replace(/(?<=[a-z0-9])(?=[A-Z])|[_.-]/g, ' ').toLowerCase()} `

function* faultsOf(name: string): Generator<string> {
  const parts = spaced(name)
  for (const [word, instead] of wordsToAvoid) {
    if (parts.includes(` ${word} `)) yield `names ${name}; the standard term for “${word}” is ${instead}`
  }
}

const standardTerms: TreeRule = {
  name: 'standard-terms',
  *check(tree) {
    for (const { files, sources } of tree.workspaces) {
      for (const path of files) {
        for (const says of faultsOf(path.slice(path.lastIndexOf('/') + 1))) yield { path, says }
      }
      for (const { path, body } of sources) {
        const names = new Set([...walk(body)].flatMap((node) => declaredName(node) ?? []))
        for (const name of names) for (const says of faultsOf(name)) yield { path, says }
      }
    }
  },
}

/** Rules on names. */
export const wordRules: readonly TreeRule[] = [standardTerms]
