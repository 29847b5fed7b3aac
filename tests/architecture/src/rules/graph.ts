import type { Edge } from '../import-rule.ts'
import type { Violation } from '../rule.ts'

/** Rules checked on all imports together. */
export const graphRuleNames = ['resolvable', 'no-cycle', 'adapters-run-by-a-suite'] as const

type Graph = ReadonlyMap<string, readonly string[]>

/** Finds unresolvable imports, import cycles, and adapters without a contract suite. */
export function judgeGraph(edges: readonly Edge[], files: ReadonlySet<string>): Violation[] {
  const running = graphOf(edges.filter(({ typeOnly }) => !typeOnly))
  return [...leadingNowhere(edges), ...cycles(graphOf(edges)), ...adaptersWithoutSuite(running, files)]
}

function graphOf(edges: readonly Edge[]): Graph {
  const graph = new Map<string, string[]>()
  for (const { from, to } of edges) {
    if (to === undefined) continue
    const targets = graph.get(from)
    if (targets === undefined) graph.set(from, [to])
    else targets.push(to)
  }
  return graph
}

const leadingNowhere = (edges: readonly Edge[]): Violation[] =>
  edges
    .filter(({ to }) => to === undefined)
    .map(({ from, specifier }) => ({
      rule: 'resolvable',
      path: from,
      says: `imports ${specifier}, which leads nowhere`,
    }))

/** Each file on an import cycle, including type imports. */
function cycles(graph: Graph): Violation[] {
  return [...graph.keys()]
    .filter((path) => reachable(graph, graph.get(path) ?? []).has(path))
    .map((path) => ({ rule: 'no-cycle', path, says: 'needs itself through its imports' }))
}

function reachable(graph: Graph, starts: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    open.push(...(graph.get(path) ?? []))
  }
  return reached
}

/** Implementations of a port, identified by the prefix of their file or the name of their folder. */
const adapter =
  /^(packages\/(bus|cache|db|documents)\/src|services\/[^/]+\/src\/store)\/(.*\/)?(pg|postgres|mongo|memory|kafka|redis)[-/][^/]*(?<!\.test)\.ts$/
const suite = /^(packages|services)\/[^/]+\/contract\/.*\.test\.ts$/

function adaptersWithoutSuite(graph: Graph, files: ReadonlySet<string>): Violation[] {
  const suites = [...files].filter((path) => suite.test(path))
  const run = reachable(graph, suites)
  return [...files]
    .filter((path) => adapter.test(path) && !run.has(path))
    .map((path) => ({ rule: 'adapters-run-by-a-suite', path, says: 'is an adapter that no contract suite runs' }))
}
