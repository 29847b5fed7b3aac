import type { Resource } from './chart.ts'

/** Resources as sorted lines `<kind>/<name> <path> = <value>`, without random values and values derived from them. */
export function linesOf(resources: readonly Resource[]): readonly string[] {
  return resources
    .flatMap((resource) => {
      const { data, ...rest } = resource
      const stable = resource.kind === 'Secret' ? { ...rest, data: Object.keys(data ?? {}) } : resource
      const of = `${resource.kind}/${resource.metadata.name}`
      return flatten(stable).map(([path, value]) => `${of} ${path} = ${path.includes('checksum/') ? '…' : value}`)
    })
    .sort()
}

function flatten(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item, nth) => flatten(item, `${path}[${nameOf(item) ?? nth}]`))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => flatten(item, path === '' ? key : `${path}.${key}`))
  }
  return [[path, JSON.stringify(value)]]
}

/** Variables, ports and volumes are identified by name, so that an addition does not shift the others. */
function nameOf(item: unknown): string | undefined {
  const name = (item as { name?: unknown } | null)?.name
  return typeof name === 'string' ? name : undefined
}

/** Lines that an option adds (`+`) and removes (`-`). A removed resource is one line. */
export function difference(before: readonly Resource[], after: readonly Resource[]): string {
  const named = (resources: readonly Resource[]) =>
    new Set(resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
  const [had, has] = [named(before), named(after)]
  const gone = [...had].filter((name) => !has.has(name)).map((name) => `- ${name}`)
  const stays = (line: string): boolean => has.has(line.split(' ', 1)[0] ?? '')
  const [old, now] = [new Set(linesOf(before).filter(stays)), new Set(linesOf(after))]
  const changed = [
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
  ]
  return `${[...gone.sort(), ...changed.sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))].join('\n')}\n`
}
