import type { Resource } from './chart.ts'

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly { readonly values: readonly string[] }[]
}
interface Peer {
  readonly podSelector?: Selector
  readonly ipBlock?: unknown
  readonly namespaceSelector?: unknown
}
interface Policy {
  readonly podSelector: Selector
  readonly ingress?: readonly { readonly from: readonly Peer[] }[]
  readonly egress?: readonly { readonly to?: readonly Peer[] }[]
}

/** The connections allowed by the network policies of these resources, by Deployment name, sorted. */
export interface Arrows {
  /** `a > b`: egress of a to b is allowed, and ingress of b from a. */
  readonly allowed: readonly string[]
  /** Deployments that accept connections from anywhere. */
  readonly entered: readonly string[]
  /** Deployments with access to the internet. */
  readonly outside: readonly string[]
}

const componentLabel = 'app.kubernetes.io/component'
/** Undefined for all pods of the release. */
const componentOf = ({ matchLabels = {}, matchExpressions = [] }: Selector): string | undefined =>
  matchLabels[componentLabel] ?? matchExpressions[0]?.values[0]

/** Evaluates the policies, except those of `helm test`. A connection needs egress and ingress. */
export function arrowsOf(resources: readonly Resource[]): Arrows {
  const policies = resources
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as Policy)
    .filter(({ podSelector }) => !['test', undefined].includes(componentOf(podSelector)))
  const named = policies.map((policy) => ({ ...policy, name: componentOf(policy.podSelector) ?? '' }))
  const isPod = (peer: Peer): boolean => peer.podSelector !== undefined
  const leaving = named.flatMap(({ name, egress = [] }) =>
    egress.flatMap(({ to = [] }) => to.filter(isPod).map((peer) => `${name} > ${componentOf(peer.podSelector ?? {})}`)),
  )
  const entering = named.flatMap(({ name, ingress = [] }) =>
    ingress.flatMap(({ from }) => from.filter(isPod).map((peer) => `${componentOf(peer.podSelector ?? {})} > ${name}`)),
  )
  const open = (peers: readonly Peer[]): boolean => peers.some((peer) => !isPod(peer))
  return {
    allowed: [...new Set(leaving.filter((arrow) => entering.includes(arrow)))].sort(),
    entered: named
      .filter(({ ingress = [] }) => ingress.some(({ from }) => open(from)))
      .map(({ name }) => name)
      .sort(),
    outside: named
      .filter(({ egress = [] }) => egress.some(({ to = [] }) => open(to)))
      .map(({ name }) => name)
      .sort(),
  }
}
