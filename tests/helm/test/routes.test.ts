import { describe, expect, it } from 'vitest'
import { helm, type Resource, render } from '../src/chart.ts'

const origins = [
  'https://api.example.org',
  'http://intranet.example.org:8080',
  // The host of publicUrl, at another port.
  'https://Chat.example.org:8443',
  // Kubernetes refuses addresses as hosts.
  'http://10.0.0.5:8080',
  'https://[2001:db8::5]',
]
const httpRoute = [
  'ingress={"enabled":false,"tlsSecret":""}',
  'httpRoute={"enabled":true,"parentRefs":[{"name":"public"}]}',
]

describe.skipIf(helm === undefined)('the routes of the chart (needs helm)', () => {
  const routeOf = (kind: string, set: readonly string[]) =>
    render({ files: ['values-prod.yaml'], set }).find((resource) => resource.kind === kind)?.spec as Route

  it('of an Ingress lead from the hosts of publicUrl and extraOrigins to the product, each once, with TLS for those of https', () => {
    const { rules, tls } = routeOf('Ingress', [`extraOrigins=${JSON.stringify(origins)}`])
    expect(rules.map(({ host }) => host)).toEqual(['chat.example.org', 'api.example.org', 'intranet.example.org'])
    expect(tls).toEqual([{ hosts: ['chat.example.org', 'api.example.org'], secretName: 'parley-tls' }])
    const [{ http } = { http: undefined }, ...others] = rules
    expect(http?.paths.map(({ path }) => path)).toEqual(['/api', '/s', '/socket.io', '/'])
    for (const other of others) expect(other.http).toEqual(http)
  })

  it('of an HTTPRoute have the same hosts, whose TLS is a matter of the Gateway', () => {
    const { hostnames } = routeOf('HTTPRoute', [...httpRoute, `extraOrigins=${JSON.stringify(origins)}`])
    expect(hostnames).toEqual(['chat.example.org', 'api.example.org', 'intranet.example.org'])
  })

  it('have the host of publicUrl only by default', () => {
    expect(routeOf('Ingress', []).rules.map(({ host }) => host)).toEqual(['chat.example.org'])
    expect(routeOf('HTTPRoute', httpRoute).hostnames).toEqual(['chat.example.org'])
  })
})

type Route = NonNullable<Resource['spec']> & {
  readonly rules: readonly { readonly host: string; readonly http: { readonly paths: readonly { path: string }[] } }[]
  readonly tls: readonly object[]
  readonly hostnames: readonly string[]
}
