import { describe, expect, it } from 'vitest'
import { helm, podOf, type Resource, render } from '../src/chart.ts'

interface Rule {
  readonly to?: readonly { readonly ipBlock?: object }[]
  readonly ports: readonly { readonly port: number | string; readonly protocol?: string }[]
}

const production = (...set: string[]): readonly Resource[] =>
  render({ files: ['values-prod.yaml'], set, isUpgrade: true })

describe.skipIf(helm === undefined)('the chart in a cluster that has rules of its own (needs helm)', () => {
  it('runs every pod on nodes of the selected pool only, and bears its taints: also jobs, engines and the test', () => {
    const backup = 'backup={"enabled":true,"claim":{"size":"1Gi"},"restore":"2026-01-31T021500Z"}'
    const tolerations = [{ key: 'pool', operator: 'Equal', value: 'chat', effect: 'NoSchedule' }]
    const placed = ['defaults.nodeSelector={"pool":"chat"}', `defaults.tolerations=${JSON.stringify(tolerations)}`]
    const trial = render({ set: ['devEngines.enabled=true', backup, ...placed], isUpgrade: true })
    const kinds = new Set<string>()
    for (const resource of [...trial, ...production(backup, ...placed)]) {
      const pod = podOf(resource)
      if (pod === undefined) continue
      kinds.add(resource.kind)
      expect(pod, `${resource.kind}/${resource.metadata.name}`).toMatchObject({
        nodeSelector: { pool: 'chat' },
        tolerations,
      })
    }
    expect([...kinds].sort()).toEqual(['CronJob', 'Deployment', 'Job', 'Pod', 'StatefulSet'])
  })

  it('migrates a store where its service runs, if that differs from the defaults', () => {
    const resources = production('defaults.nodeSelector={"pool":"chat"}', 'services.billing.nodeSelector.pool="money"')
    const poolOf = (name: string): unknown =>
      podOf(resources.find(({ kind, metadata }) => kind === 'Job' && metadata.name === name) as Resource)
    expect(poolOf('parley-billing-migrate')).toMatchObject({ nodeSelector: { pool: 'money' } })
    expect(poolOf('parley-auth-migrate')).toMatchObject({ nodeSelector: { pool: 'chat' } })
  })

  it('adds pods when those that it has use much of a processor each, whatever they request', () => {
    const autoscalers = production().filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    for (const { spec, metadata } of autoscalers) {
      const [cpu] = (spec?.metrics ?? []) as readonly { readonly resource: { readonly target: object } }[]
      expect([metadata.name, cpu?.resource.target]).toEqual([
        metadata.name,
        { type: 'AverageValue', averageValue: '500m' },
      ])
    }
    expect(autoscalers).toHaveLength(11)
  })

  const policies = (resources: readonly Resource[]) =>
    resources.flatMap(({ kind, metadata, spec }) =>
      kind === 'NetworkPolicy' ? [{ name: metadata.name, egress: (spec?.egress ?? []) as readonly Rule[] }] : [],
    )

  it('lets every pod ask for names at the ports of DNS, also of OpenShift, whose policies apply behind the Service', () => {
    const backup = 'backup={"enabled":true,"claim":{"size":"1Gi"}}'
    const all = [...production(backup), ...render({ set: ['devEngines.enabled=true'] })]
    const leaving = policies(all).filter(({ name }) => name !== 'parley-default-deny')
    for (const { name, egress } of leaving) {
      const dns = egress.filter(({ to }) => to === undefined).flatMap(({ ports }) => ports)
      const asked = dns.flatMap(({ port, protocol }) => (protocol === undefined ? [] : [`${port} ${protocol}`]))
      expect([name, asked]).toEqual([name, ['53 UDP', '53 TCP', '5353 UDP', '5353 TCP']])
    }
    expect(leaving.length).toBeGreaterThan(25)
  })

  it('lets services reach brokers at the ports that `brokers` names', () => {
    const brokers = 'kafka.brokers="a.example.org:9096,b.example.org:9096,c.example.org:9098"'
    const auth = policies(production(brokers)).find(({ name }) => name === 'parley-auth')
    expect(auth?.egress.map(({ ports }) => ports.map(({ port }) => port))).toContainEqual([9092, 9096, 9098])
  })

  it('keeps private networks out of reach by the rule of their family, since Kubernetes refuses them in another', () => {
    const except = 'networkPolicy.outsideExcept=["10.0.0.0/8","2001:db8::/32"]'
    const auth = policies(production(except)).find(({ name }) => name === 'parley-auth')
    const blocks = auth?.egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
    expect(blocks).toEqual([
      { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] },
      { cidr: '2000::/3', except: ['2001:db8::/32'] },
    ])
  })

  it('names sockets to Contour by a path of the Ingress, since it compares the two as texts', () => {
    const ingress = production('ingress.controller="contour"').find(({ kind }) => kind === 'Ingress')
    const rules = ingress?.spec?.rules as readonly { readonly http: { readonly paths: readonly { path: string }[] } }[]
    const paths = rules.flatMap(({ http }) => http.paths.map(({ path }) => path))
    expect(paths).toContain(ingress?.metadata.annotations?.['projectcontour.io/websocket-routes'])
  })

  it('keeps the label `service` of metrics, which the Prometheus operator sets to the name of the Kubernetes Service', () => {
    const endpoints = production()
      .filter(({ kind }) => kind === 'ServiceMonitor')
      .flatMap(({ spec }) => spec?.endpoints as readonly object[])
    expect(endpoints).toHaveLength(9)
    for (const endpoint of endpoints) expect(endpoint).toMatchObject({ honorLabels: true })
  })

  it('lets Prometheus scrape every service with the values for production, which deny other connections', () => {
    const resources = production()
    const scraped = resources.filter(({ kind }) => kind === 'ServiceMonitor').map(({ metadata }) => metadata.name)
    for (const name of scraped) {
      const policy = resources.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
      const ingress = policy?.spec?.ingress as readonly { readonly from: readonly object[] }[]
      expect(
        ingress.flatMap(({ from }) => from),
        name,
      ).toContainEqual({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } })
    }
    expect(scraped).toHaveLength(9)
  })
})
